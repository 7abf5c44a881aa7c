/** Interface of the server's MQTT connection, to the embedded broker or another one. */

export interface MqttMessage {
  readonly topic: string;
  readonly payload: Uint8Array;
  /** Whether the broker had retained the message, so that its age is unknown. */
  readonly retained: boolean;
  /** Account of the sender, verified by the embedded broker; null on another broker. */
  readonly username: string | null;
}

export interface MqttListener {
  onMessage(message: MqttMessage): void;
  /** A message was dropped because its account exceeds the rate limit. */
  onOverflow(username: string): void;
  /** The broker has connected or reconnected: publish all messages that it should retain. */
  onUp(): void;
}

/** The broker's address for devices. `host` is null for the machine of this server. */
export interface BrokerAddress {
  readonly host: string | null;
  readonly port: number;
  readonly tls: boolean;
  readonly embedded: boolean;
  /** PEM certificate that devices need to trust the embedded broker; null without TLS or for another broker. */
  readonly certificate: string | null;
}

export interface MqttLink {
  /** `off`: no broker is configured, or another program uses its default port. */
  state(): 'ok' | 'down' | 'off';
  /** Null without a broker. */
  address(): BrokerAddress | null;
  /** Publishes; the message is lost if the broker is away. An empty retained payload deletes the retained message. */
  publish(topic: string, payload: string, options: { retain: boolean }): void;
  /** Adds a listener, and calls its `onUp` at once if the broker is connected. Returns a function that removes it. */
  listen(listener: MqttListener): () => void;
  /** Closes the connections of an account; does nothing on another broker. */
  disconnect(username: string): void;
  close(): Promise<void>;
}

/** The link without a broker. */
export const noLink: MqttLink = {
  state: () => 'off',
  address: () => null,
  publish() {},
  listen: () => () => {},
  disconnect() {},
  async close() {},
};

/** The broker cannot be used with these settings; `message` is for the operator and names the setting. */
export class MqttStartError extends Error {
  override name = 'MqttStartError';
}
