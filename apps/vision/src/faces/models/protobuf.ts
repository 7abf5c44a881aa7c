/** Encodes the few protobuf wire types that an ONNX file needs. */

const VARINT = 0;
const LENGTH_DELIMITED = 2;
const FIXED_32 = 5;

function encodeVarint(value: number): Buffer {
  const bytes: number[] = [];
  while (value >= 0x80) {
    bytes.push((value % 0x80) | 0x80);
    value = Math.floor(value / 0x80);
  }
  bytes.push(value);
  return Buffer.from(bytes);
}

function tag(field: number, wireType: number): Buffer {
  return encodeVarint(field * 8 + wireType);
}

/** A non-negative integer below 2^53. */
export function integerField(field: number, value: number): Buffer {
  return Buffer.concat([tag(field, VARINT), encodeVarint(value)]);
}

/** A 32-bit float, little endian. */
export function floatField(field: number, value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return Buffer.concat([tag(field, FIXED_32), bytes]);
}

/** A string, raw bytes or an embedded message. */
export function bytesField(field: number, value: string | Uint8Array): Buffer {
  const bytes = typeof value === 'string' ? Buffer.from(value, 'utf8') : value;
  return Buffer.concat([tag(field, LENGTH_DELIMITED), encodeVarint(bytes.length), bytes]);
}
