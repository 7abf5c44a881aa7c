/**
 * dlib's face recognition ResNet (29 convolutions, 128 outputs) from the uint8 copy of its weights in face-api.
 * Source of the layers: @vladmandic/face-api `src/faceRecognitionNet`.
 */
import { OnnxGraph, type Value } from './onnx-graph.ts';
import { getTensor, type Tensor, toOnnxFilter } from './weights.ts';

/** Mean RGB that the network's authors subtract, 0–255. */
export const MEAN_RGB = [122.782, 117.001, 104.298] as const;

/** Input `image` [n, 3, 150, 150], RGB 0–255; output `encoding` [n, 128]. */
export function buildRecognitionNet(tensors: ReadonlyMap<string, Tensor>): Buffer {
  const graph = new OnnxGraph('face-recognition');

  function conv(value: Value, name: string, options: { down?: boolean; first?: boolean } = {}): Value {
    const filter = toOnnxFilter(getTensor(tensors, `${name}/conv/filters`));
    const bias = getTensor(tensors, `${name}/conv/bias`).data;
    const scale = getTensor(tensors, `${name}/scale/weights`).data;
    const shift = getTensor(tensors, `${name}/scale/biases`).data;
    const [outputs = 0, inputs = 0, size = 0] = filter.shape;
    const weights = filter.data;
    const biases = new Float32Array(outputs);
    const perInput = size * size;
    for (let o = 0; o < outputs; o++) {
      const factor = scale[o] ?? 0;
      let constant = (bias[o] ?? 0) * factor + (shift[o] ?? 0);
      for (let i = 0; i < inputs * perInput; i++) {
        const at = o * inputs * perInput + i;
        let weight = (weights[at] ?? 0) * factor;
        // (x - mean) / 255 folds exactly into the first convolution, because that convolution has no padding.
        if (options.first) {
          weight /= 255;
          constant -= weight * (MEAN_RGB[Math.floor(i / perInput)] ?? 0);
        }
        weights[at] = weight;
      }
      biases[o] = constant;
    }
    return graph.node('Conv', [value, graph.floats(weights, filter.shape), graph.floats(biases, [outputs])], {
      kernel_shape: [size, size],
      strides: options.down ? [2, 2] : [1, 1],
      ...(options.down ? { auto_pad: 'VALID' } : { pads: [1, 1, 1, 1] }),
    });
  }

  const relu = (value: Value): Value => graph.node('Relu', [value]);
  const add = (a: Value, b: Value): Value => graph.node('Add', [a, b]);
  const pad = (value: Value, ends: readonly number[]): Value =>
    graph.node('Pad', [value, graph.integers([0, 0, 0, 0, ...ends])], { mode: 'constant' });

  const residual = (value: Value, name: string): Value =>
    relu(add(conv(relu(conv(value, `${name}/conv1`)), `${name}/conv2`), value));

  /** Halves the picture; `newChannels` are added as zeros to the shortcut, `padOutput` where the halves differ by one. */
  function residualDown(value: Value, name: string, newChannels: number, padOutput = false): Value {
    let main = conv(relu(conv(value, `${name}/conv1`, { down: true })), `${name}/conv2`);
    if (padOutput) main = pad(main, [0, 0, 1, 1]);
    let shortcut = graph.node('AveragePool', [value], { kernel_shape: [2, 2], strides: [2, 2] });
    if (newChannels > 0) shortcut = pad(shortcut, [0, newChannels, 0, 0]);
    return relu(add(shortcut, main));
  }

  let value = graph.input('image', ['n', 3, 150, 150]);
  value = relu(conv(value, 'conv32_down', { down: true, first: true }));
  value = graph.node('MaxPool', [value], { kernel_shape: [3, 3], strides: [2, 2] });
  for (const name of ['conv32_1', 'conv32_2', 'conv32_3']) value = residual(value, name);
  value = residualDown(value, 'conv64_down', 32);
  for (const name of ['conv64_1', 'conv64_2', 'conv64_3']) value = residual(value, name);
  value = residualDown(value, 'conv128_down', 64);
  for (const name of ['conv128_1', 'conv128_2']) value = residual(value, name);
  value = residualDown(value, 'conv256_down', 128, true);
  for (const name of ['conv256_1', 'conv256_2']) value = residual(value, name);
  value = residualDown(value, 'conv256_down_out', 0, true);
  value = graph.node('ReduceMean', [value], { axes: [2, 3], keepdims: 0 });
  const fc = getTensor(tensors, 'fc');
  value = graph.node('MatMul', [value, graph.floats(fc.data, fc.shape)]);
  graph.output('encoding', value, ['n', 128]);
  return graph.toBytes();
}
