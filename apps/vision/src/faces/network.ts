/** Runs one network on one processor thread. */
import { InferenceSession, Tensor } from 'onnxruntime-node';

/** All networks take `image`, RGB 0–255 in planes, and return named float arrays. */
export interface Network {
  run(image: Float32Array, shape: readonly number[]): Promise<Readonly<Record<string, Float32Array>>>;
}

/** Loads a network from the bytes of an ONNX file. Throws when the runtime refuses them. */
export async function loadNetwork(model: Uint8Array): Promise<Network> {
  const session = await InferenceSession.create(model, {
    executionProviders: ['cpu'],
    // One thread each: a second one spins and slows the other sessions down (measured: twice the time).
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    graphOptimizationLevel: 'all',
  });
  return {
    async run(image, shape) {
      const outputs = await session.run({ image: new Tensor('float32', image, shape) });
      const named: Record<string, Float32Array> = {};
      for (const [name, tensor] of Object.entries(outputs)) {
        if (!(tensor.data instanceof Float32Array)) throw new Error(`the output ${name} holds no floats`);
        named[name] = tensor.data;
      }
      return named;
    },
  };
}
