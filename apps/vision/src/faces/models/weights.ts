/** Reads the weights that npm packages contain in TensorFlow.js format, as float32. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';

/** A tensor in TensorFlow's order: convolution filters are [height, width, in, out]. */
export interface Tensor {
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

const require = createRequire(import.meta.url);
/** Folders of the packages whose model files are read; both packages' entries lie in `dist`. */
const packageFolders = {
  '@vladmandic/human': () => join(dirname(require.resolve('@vladmandic/human')), '..'),
  '@vladmandic/face-api': () => join(dirname(require.resolve('@vladmandic/face-api')), '..'),
} as const;

/** A file of a pinned npm package; `sha256` is of its bytes. */
export interface SourceFile {
  readonly package: keyof typeof packageFolders;
  readonly path: string;
  readonly sha256: string;
}

const weightSchema = z.object({
  name: z.string(),
  shape: z.array(z.number().int()),
  dtype: z.enum(['float32', 'int32']),
  quantization: z.object({ dtype: z.literal('uint8'), scale: z.number(), min: z.number() }).optional(),
});
export const weightGroupsSchema = z.array(z.object({ weights: z.array(weightSchema) }));
export type WeightGroups = z.infer<typeof weightGroupsSchema>;

/** Reads a source file. Throws when it is missing or its bytes are not the expected ones. */
export function readSource(file: SourceFile): Buffer {
  const bytes = readFileSync(join(packageFolders[file.package](), file.path));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (sha256 !== file.sha256)
    throw new Error(`${file.package}/${file.path} has the hash ${sha256}, expected ${file.sha256}`);
  return bytes;
}

/** Splits the bytes of a weight file into its tensors; value = byte * scale + min where they are quantized. */
export function decodeWeights(groups: WeightGroups, bytes: Buffer): Map<string, Tensor> {
  const tensors = new Map<string, Tensor>();
  let offset = 0;
  for (const { name, shape, dtype, quantization } of groups.flatMap((group) => group.weights)) {
    const length = shape.reduce((product, size) => product * size, 1);
    const data = new Float32Array(length);
    for (let i = 0; i < length; i++) {
      if (quantization) data[i] = bytes.readUInt8(offset + i) * quantization.scale + quantization.min;
      else
        data[i] = dtype === 'int32' ? bytes.readInt32LE(offset + i * 4) : bytes.readFloatLE(offset + i * 4);
    }
    offset += length * (quantization ? 1 : 4);
    tensors.set(name, { shape, data });
  }
  if (offset !== bytes.length) throw new Error(`weights end at byte ${offset} of ${bytes.length}`);
  return tensors;
}

/** Throws if no tensor has this name. */
export function getTensor(tensors: ReadonlyMap<string, Tensor>, name: string): Tensor {
  const tensor = tensors.get(name);
  if (!tensor) throw new Error(`there is no weight named ${name}`);
  return tensor;
}

/** [height, width, in, out] → [out, in, height, width], the order of ONNX; a depthwise filter comes out as [channels, 1, h, w]. */
export function toOnnxFilter({ shape, data }: Tensor, depthwise = false): Tensor {
  const [height = 0, width = 0, inputs = 0, outputs = 0] = shape;
  const reordered = new Float32Array(data.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let i = 0; i < inputs; i++)
        for (let o = 0; o < outputs; o++) {
          const from = ((y * width + x) * inputs + i) * outputs + o;
          const plane = depthwise ? i * outputs + o : o * inputs + i;
          reordered[(plane * height + y) * width + x] = data[from] ?? 0;
        }
  return {
    shape: depthwise ? [inputs * outputs, 1, height, width] : [outputs, inputs, height, width],
    data: reordered,
  };
}
