/** How the server speaks MQTT, whichever broker there is. Knows no sensor. */

export interface MqttMessage {
  readonly topic: string;
  readonly payload: Uint8Array;
  /** An old message that the broker has kept: how old is not known. */
  readonly retained: boolean;
  /** Whose account sent it, as the embedded broker has proved; null where another broker answers for that. */
  readonly username: string | null;
}

export interface MqttListener {
  onMessage(message: MqttMessage): void;
  /** The account sends more than it may: this message was dropped. */
  onOverflow(username: string): void;
  /** The broker is there (again): what it should keep must be published. */
  onUp(): void;
}

/** Where devices reach the broker; `host` null: the machine that this server runs on. */
export interface BrokerAddress {
  readonly host: string | null;
  readonly port: number;
  readonly tls: boolean;
  readonly embedded: boolean;
  /** The certificate that devices need in order to trust ours, PEM; null without TLS or for another broker. */
  readonly certificate: string | null;
}

export interface MqttLink {
  /** `off`: there is to be no broker, or its default port belongs to another program. */
  state(): 'ok' | 'down' | 'off';
  /** Null while there is no broker. */
  address(): BrokerAddress | null;
  /** Sends; what cannot be sent now is lost. An empty retained payload removes what the broker keeps. */
  publish(topic: string, payload: string, options: { retain: boolean }): void;
  /** Calls back from now on; answers how to stop. `onUp` comes at once where the broker is there. */
  listen(listener: MqttListener): () => void;
  /** Cuts off whoever uses this account, where that is ours to do. */
  disconnect(username: string): void;
  close(): Promise<void>;
}

/** No broker at all. */
export const noLink: MqttLink = {
  state: () => 'off',
  address: () => null,
  publish() {},
  listen: () => () => {},
  disconnect() {},
  async close() {},
};

/** The broker cannot be started as it is set; `message` is for the operator and names the setting. */
export class MqttStartError extends Error {
  override name = 'MqttStartError';
}
