/** Makes the three networks' ONNX bytes from the weights in the npm packages. Writes no file. */
import { buildDetectionNet, graphModelSchema } from './detection-net.ts';
import { buildLandmarkNet } from './landmark-net.ts';
import type { ModelKind } from './model-files.ts';
import { buildRecognitionNet } from './recognition-net.ts';
import { decodeWeights, readSource, type SourceFile, type Tensor, weightGroupsSchema } from './weights.ts';

/** Source files with their hashes: a changed package stops the export instead of changing a facility's encodings. */
const sources = {
  detectionGraph: {
    package: '@vladmandic/human',
    path: 'models/blazeface.json',
    sha256: 'cd7bbfc078270572beb39f9e5ae67aadbd50b5e67cff37e6d4f6b3ea39312e5f',
  },
  detectionWeights: {
    package: '@vladmandic/human',
    path: 'models/blazeface.bin',
    sha256: 'dc9a97fdc50bc43216554bdd69aa3e7b9361a519ee7bdd996a2f69a98a6f9b72',
  },
  landmarkManifest: {
    package: '@vladmandic/face-api',
    path: 'model/face_landmark_68_model-weights_manifest.json',
    sha256: 'ca4886639f86e99b39fed0c155f81b63317225773bd9616716e887b0153389c9',
  },
  landmarkWeights: {
    package: '@vladmandic/face-api',
    path: 'model/face_landmark_68_model.bin',
    sha256: '4611ef65c87d836d03d684b30eec4d195d8b219fa1dd58fc58945831c6b9299b',
  },
  recognitionManifest: {
    package: '@vladmandic/face-api',
    path: 'model/face_recognition_model-weights_manifest.json',
    sha256: 'cbaffa501b0b9275a12b63357a6843e7e30c054e1c9151e1a5f879b26e32986b',
  },
  recognitionWeights: {
    package: '@vladmandic/face-api',
    path: 'model/face_recognition_model.bin',
    sha256: 'b413e420d6840b2775fba32008db6f3cddb07d485967fb42cfcf379c16a8c589',
  },
} as const satisfies Record<string, SourceFile>;

function readJson(file: SourceFile): unknown {
  return JSON.parse(readSource(file).toString('utf8'));
}

function readTensors(manifest: SourceFile, weights: SourceFile): Map<string, Tensor> {
  return decodeWeights(weightGroupsSchema.parse(readJson(manifest)), readSource(weights));
}

/** The bytes of one ONNX file. Throws when a source is missing or has the wrong hash. */
export function buildModel(kind: ModelKind): Buffer {
  switch (kind) {
    case 'detection': {
      const model = graphModelSchema.parse(readJson(sources.detectionGraph));
      const tensors = decodeWeights(model.weightsManifest, readSource(sources.detectionWeights));
      return buildDetectionNet(model, tensors);
    }
    case 'landmarks':
      return buildLandmarkNet(readTensors(sources.landmarkManifest, sources.landmarkWeights));
    case 'recognition':
      return buildRecognitionNet(readTensors(sources.recognitionManifest, sources.recognitionWeights));
  }
}
