/**
 * The 68-point face landmark network of face-api (densely connected separable convolutions).
 * Source of the layers: @vladmandic/face-api `src/faceFeatureExtractor`, `src/faceLandmarkNet`.
 */
import { OnnxGraph, type Value } from './onnx-graph.ts';
import { MEAN_RGB } from './recognition-net.ts';
import { getTensor, type Tensor, toOnnxFilter } from './weights.ts';

/** Input `image` [1, 3, 112, 112], RGB 0–255; output `points` [1, 136], x and y in turn, 0–1 of the input square. */
export function buildLandmarkNet(tensors: ReadonlyMap<string, Tensor>): Buffer {
  const graph = new OnnxGraph('face-landmarks-68');

  function filter(name: string, depthwise = false): { value: Value; shape: readonly number[] } {
    const { data, shape } = toOnnxFilter(getTensor(tensors, name), depthwise);
    return { value: graph.floats(data, shape), shape };
  }
  function vector(name: string): Value {
    const { data, shape } = getTensor(tensors, name);
    return graph.floats(data, shape);
  }

  function separable(value: Value, name: string, stride: number): Value {
    const depthwise = filter(`${name}/depthwise_filter`, true);
    const inner = graph.node('Conv', [value, depthwise.value], {
      kernel_shape: [3, 3],
      strides: [stride, stride],
      auto_pad: 'SAME_UPPER',
      group: depthwise.shape[0] ?? 1,
    });
    const pointwise = filter(`${name}/pointwise_filter`);
    return graph.node('Conv', [inner, pointwise.value, vector(`${name}/bias`)], { kernel_shape: [1, 1] });
  }

  const relu = (value: Value): Value => graph.node('Relu', [value]);
  const add = (a: Value, b: Value): Value => graph.node('Add', [a, b]);

  function block(value: Value, name: string, first = false): Value {
    const entry = first
      ? graph.node('Conv', [value, filter(`${name}/conv0/filters`).value, vector(`${name}/conv0/bias`)], {
          kernel_shape: [3, 3],
          strides: [2, 2],
          auto_pad: 'SAME_UPPER',
        })
      : separable(value, `${name}/conv0`, 2);
    const out1 = relu(entry);
    const out2 = separable(out1, `${name}/conv1`, 1);
    const sum2 = add(out1, out2);
    const out3 = separable(relu(sum2), `${name}/conv2`, 1);
    const sum3 = add(out1, add(out2, out3));
    const out4 = separable(relu(sum3), `${name}/conv3`, 1);
    return relu(add(out1, add(out2, add(out3, out4))));
  }

  let value = graph.input('image', [1, 3, 112, 112]);
  // The first convolution pads with zeros, so the mean cannot be folded into it.
  value = graph.node('Sub', [value, graph.floats(Float32Array.from(MEAN_RGB), [1, 3, 1, 1])]);
  value = graph.node('Mul', [value, graph.floats(Float32Array.of(1 / 255), [1])]);
  value = block(value, 'dense0', true);
  for (const name of ['dense1', 'dense2', 'dense3']) value = block(value, name);
  value = graph.node('AveragePool', [value], { kernel_shape: [7, 7], strides: [2, 2] });
  value = graph.node('Flatten', [value], { axis: 1 });
  const weights = getTensor(tensors, 'fc/weights');
  value = graph.node('MatMul', [value, graph.floats(weights.data, weights.shape)]);
  value = add(value, vector('fc/bias'));
  graph.output('points', value, [1, 136]);
  return graph.toBytes();
}
