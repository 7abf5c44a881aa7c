/**
 * BlazeFace 256 (back camera model of MediaPipe) from the TensorFlow.js graph in @vladmandic/human: a translation
 * operator by operator, from pixels-last to channels-first.
 */
import { z } from 'zod';
import { OnnxGraph, type Value } from './onnx-graph.ts';
import { getTensor, type Tensor, toOnnxFilter, weightGroupsSchema } from './weights.ts';

const listSchema = z.object({
  list: z.object({ i: z.array(z.coerce.number()).optional(), s: z.array(z.string()).optional() }),
});
const nodeSchema = z.object({
  name: z.string(),
  op: z.string(),
  input: z.array(z.string()).default([]),
  attr: z
    .object({
      strides: listSchema.optional(),
      ksize: listSchema.optional(),
      fused_ops: listSchema.optional(),
      padding: z.object({ s: z.string() }).optional(),
    })
    .default({}),
});
type GraphNode = z.infer<typeof nodeSchema>;

/** The model file: the graph and the manifest of its weight file. */
export const graphModelSchema = z.object({
  modelTopology: z.object({ node: z.array(nodeSchema) }),
  weightsManifest: weightGroupsSchema,
});
export type GraphModel = z.infer<typeof graphModelSchema>;

const decodeBase64 = (text: string): string => Buffer.from(text, 'base64').toString('utf8');

/** The outputs in the file's names: scores and boxes of the 16×16 grid (2 each) and of the 8×8 grid (6 each). */
const outputs = [
  { node: 'Identity', name: 'scores16', shape: [1, 512, 1] },
  { node: 'Identity_1', name: 'scores8', shape: [1, 384, 1] },
  { node: 'Identity_2', name: 'boxes16', shape: [1, 512, 16] },
  { node: 'Identity_3', name: 'boxes8', shape: [1, 384, 16] },
] as const;

/**
 * Input `image` [1, 3, 256, 256], RGB 0–255; outputs `scores16`, `scores8` (before the sigmoid), `boxes16`, `boxes8`
 * (x, y, width, height and 6 points, in input pixels from the anchor).
 * Throws on an unexpected operator.
 */
export function buildDetectionNet(model: GraphModel, tensors: ReadonlyMap<string, Tensor>): Buffer {
  const graph = new OnnxGraph('blazeface-256');
  const values = new Map<string, Value>();

  function getValue(name: string | undefined): Value {
    const value = values.get(name ?? '');
    if (!value) throw new Error(`the graph uses ${name} before it is made`);
    return value;
  }
  function window(node: GraphNode, list: 'strides' | 'ksize'): number[] {
    const [, height = 1, width = 1] = node.attr[list]?.list.i ?? [];
    return [height, width];
  }
  function padding(node: GraphNode): string {
    return decodeBase64(node.attr.padding?.s ?? '') === 'SAME' ? 'SAME_UPPER' : 'VALID';
  }

  function convolution(node: GraphNode, depthwise: boolean): Value {
    const filter = toOnnxFilter(getTensor(tensors, node.input[1] ?? ''), depthwise);
    const [channels = 1, , height = 1, width = 1] = filter.shape;
    const inputs = [getValue(node.input[0]), graph.floats(filter.data, filter.shape)];
    if (!depthwise) {
      const bias = getTensor(tensors, node.input[2] ?? '');
      inputs.push(graph.floats(bias.data, bias.shape));
    }
    const value = graph.node('Conv', inputs, {
      kernel_shape: [height, width],
      strides: window(node, 'strides'),
      auto_pad: padding(node),
      group: depthwise ? channels : 1,
    });
    const fused = (node.attr.fused_ops?.list.s ?? []).map(decodeBase64);
    return fused.includes('Relu') ? graph.node('Relu', [value]) : value;
  }

  function translate(node: GraphNode): Value {
    const first = (): Value => getValue(node.input[0]);
    switch (node.op) {
      case 'Placeholder': {
        // Scales to -1…1 inside the network, so that all three networks take the same pixels.
        const image = graph.input('image', [1, 3, 256, 256]);
        const scaled = graph.node('Mul', [image, graph.floats(Float32Array.of(1 / 127.5), [1])]);
        return graph.node('Sub', [scaled, graph.floats(Float32Array.of(1), [1])]);
      }
      case '_FusedConv2D':
        return convolution(node, false);
      case 'DepthwiseConv2dNative':
        return convolution(node, true);
      case 'AddV2':
        return graph.node('Add', [first(), getValue(node.input[1])]);
      case 'Relu':
      case 'Identity':
        return graph.node(node.op, [first()]);
      case 'MaxPool':
        return graph.node('MaxPool', [first()], {
          kernel_shape: window(node, 'ksize'),
          strides: window(node, 'strides'),
          auto_pad: padding(node),
        });
      case 'Pad': {
        // Rows are [before, after] of batch, height, width, channels.
        const [n0 = 0, n1 = 0, h0 = 0, h1 = 0, w0 = 0, w1 = 0, c0 = 0, c1 = 0] = getTensor(
          tensors,
          node.input[1] ?? '',
        ).data;
        return graph.node('Pad', [first(), graph.integers([n0, c0, h0, w0, n1, c1, h1, w1])], {
          mode: 'constant',
        });
      }
      case 'Reshape': {
        const pixelsLast = graph.node('Transpose', [first()], { perm: [0, 2, 3, 1] });
        const shape = Array.from(getTensor(tensors, node.input[1] ?? '').data);
        return graph.node('Reshape', [pixelsLast, graph.integers(shape)]);
      }
      default:
        throw new Error(`the operator ${node.op} is not known`);
    }
  }

  for (const node of model.modelTopology.node) {
    if (node.op !== 'Const') values.set(node.name, translate(node));
  }
  for (const output of outputs) graph.output(output.name, getValue(output.node), output.shape);
  return graph.toBytes();
}
