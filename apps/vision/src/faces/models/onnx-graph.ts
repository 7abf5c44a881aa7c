/** Builds one ONNX graph node by node and encodes it as a model file. */
import { bytesField, floatField, integerField } from './protobuf.ts';

/** ONNX operator set and file format that all operators used here belong to. */
const OPSET = 17;
const IR_VERSION = 8;

const FLOAT = 1;
const INT64 = 7;

const ATTRIBUTE_FLOAT = 1;
const ATTRIBUTE_INT = 2;
const ATTRIBUTE_STRING = 3;
const ATTRIBUTE_INTS = 7;

/** Name of a value that flows through the graph: a node's output, an input or a constant. */
export type Value = string;

/** `{ float }` marks a number that is a float attribute; plain numbers are integers. */
export type Attribute = number | string | readonly number[] | { readonly float: number };

function encodeAttribute(name: string, value: Attribute): Buffer {
  const parts = [bytesField(1, name)];
  if (typeof value === 'number') parts.push(integerField(3, value), integerField(20, ATTRIBUTE_INT));
  else if (typeof value === 'string') parts.push(bytesField(4, value), integerField(20, ATTRIBUTE_STRING));
  else if ('float' in value) parts.push(floatField(2, value.float), integerField(20, ATTRIBUTE_FLOAT));
  else parts.push(...value.map((item) => integerField(8, item)), integerField(20, ATTRIBUTE_INTS));
  return Buffer.concat(parts);
}

function encodeValueInfo(name: string, shape: readonly (number | string)[]): Buffer {
  const dimensions = shape.map((size) =>
    bytesField(1, typeof size === 'number' ? integerField(1, size) : bytesField(2, size)),
  );
  const tensor = Buffer.concat([integerField(1, FLOAT), bytesField(2, Buffer.concat(dimensions))]);
  return Buffer.concat([bytesField(1, name), bytesField(2, bytesField(1, tensor))]);
}

/** Collects nodes and constants; the order of the calls is the order of the file, so the same calls write the same bytes. */
export class OnnxGraph {
  readonly #name: string;
  readonly #nodes: Buffer[] = [];
  readonly #constants: Buffer[] = [];
  readonly #inputs: Buffer[] = [];
  readonly #outputs: Buffer[] = [];
  #count = 0;

  constructor(name: string) {
    this.#name = name;
  }

  /** Declares a float input. A string in `shape` names a size that may change from run to run. */
  input(name: string, shape: readonly (number | string)[]): Value {
    this.#inputs.push(encodeValueInfo(name, shape));
    return name;
  }

  /** Declares `value` as the float output `name`. */
  output(name: string, value: Value, shape: readonly (number | string)[]): void {
    this.#nodes.push(Buffer.concat([bytesField(1, value), bytesField(2, name), bytesField(4, 'Identity')]));
    this.#outputs.push(encodeValueInfo(name, shape));
  }

  /** A float constant in row-major order. */
  floats(data: Float32Array, shape: readonly number[]): Value {
    return this.#constant(FLOAT, shape, Buffer.from(data.buffer, data.byteOffset, data.byteLength));
  }

  /** A one-dimensional int64 constant. */
  integers(data: readonly number[]): Value {
    return this.#constant(INT64, [data.length], Buffer.from(BigInt64Array.from(data.map(BigInt)).buffer));
  }

  /** Adds an operator with one output and returns the output's name. */
  node(
    operator: string,
    inputs: readonly Value[],
    attributes: Readonly<Record<string, Attribute>> = {},
  ): Value {
    const output = `v${this.#count++}`;
    this.#nodes.push(
      Buffer.concat([
        ...inputs.map((input) => bytesField(1, input)),
        bytesField(2, output),
        bytesField(4, operator),
        ...Object.entries(attributes).map(([name, value]) => bytesField(5, encodeAttribute(name, value))),
      ]),
    );
    return output;
  }

  /** The bytes of a complete ONNX model file. */
  toBytes(): Buffer {
    const graph = Buffer.concat([
      ...this.#nodes.map((node) => bytesField(1, node)),
      bytesField(2, this.#name),
      ...this.#constants.map((constant) => bytesField(5, constant)),
      ...this.#inputs.map((input) => bytesField(11, input)),
      ...this.#outputs.map((output) => bytesField(12, output)),
    ]);
    return Buffer.concat([
      integerField(1, IR_VERSION),
      bytesField(2, 'haris'),
      bytesField(7, graph),
      bytesField(8, Buffer.concat([bytesField(1, ''), integerField(2, OPSET)])),
    ]);
  }

  #constant(type: number, shape: readonly number[], bytes: Buffer): Value {
    const name = `c${this.#count++}`;
    this.#constants.push(
      Buffer.concat([
        ...shape.map((size) => integerField(1, size)),
        integerField(2, type),
        bytesField(8, name),
        bytesField(9, bytes),
      ]),
    );
    return name;
  }
}
