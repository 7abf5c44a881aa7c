/** The way to all rows of the audit log about a child or a parent, for staff who may read it. */
import { Button } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Allowed } from '../../../session/allowed.tsx';
import classes from './sheet.module.css';

export function AuditLink({ id }: { id: string }) {
  const { t } = useTranslation('child');
  return (
    <Allowed to="audit.view">
      <div className={classes.section}>
        <Button
          component={Link}
          to={`/auditLog?subject=${encodeURIComponent(id)}`}
          size="sm"
          variant="default"
          leftSection={<IconHistory size={18} aria-hidden />}
        >
          {t('audit')}
        </Button>
      </div>
    </Allowed>
  );
}
