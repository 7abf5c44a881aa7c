/** The secrets of a sensor, and instructions for its device. */
import type { SensorSecrets } from '@haris/contract/http/sensors';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { SecretsPanel } from './secrets-panel.tsx';

export function SensorSecretsPanel({ made, onDone }: { made: SensorSecrets; onDone: () => void }) {
  const { t } = useTranslation('environment');
  const { broker, sensor } = made;
  const topicLabel = {
    haris: 'secrets.topic',
    esphome: 'secrets.prefix',
    tasmota: 'secrets.deviceTopic',
  } as const;
  const isLocal = broker !== null && /^(localhost|127\.|::1$)/.test(broker.host);
  return (
    <>
      {broker === null ? (
        <Text size="sm" mb="md">
          {t('secrets.noBroker')}
        </Text>
      ) : null}
      {isLocal ? (
        <Text size="sm" mb="md">
          {t('secrets.localBroker')}
        </Text>
      ) : null}
      {broker !== null && !broker.embedded ? (
        <Text size="sm" mb="md">
          {t('secrets.ownBroker')}
        </Text>
      ) : null}
      <SecretsPanel
        secrets={[
          ...(broker === null
            ? []
            : [
                {
                  label: t('secrets.broker'),
                  value: `${broker.tls ? 'mqtts' : 'mqtt'}://${broker.host.includes(':') ? `[${broker.host}]` : broker.host}:${broker.port}`,
                },
                { label: t('secrets.username'), value: made.username },
                { label: t('secrets.password'), value: made.password },
                { label: t(topicLabel[sensor.kind]), value: made.topic },
              ]),
          { label: t('secrets.address'), value: `${location.origin}/api/sensors/${sensor._id}/readings` },
          { label: t('secrets.deviceKey'), value: made.deviceKey },
        ]}
        file={
          made.esphomeYaml === undefined
            ? undefined
            : { name: `${made.username}.yaml`, text: made.esphomeYaml }
        }
        onDone={onDone}
      />
    </>
  );
}
