/** Binds the calls of cameras. */
import { cameraRoutes } from '@haris/contract/http/cameras';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../app-error.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { findPairedCameras } from '../../db/camera-devices.ts';
import { findCamera, findCamerasPage } from '../../db/cameras.ts';
import type { CameraRow } from '../../db/schema.ts';
import { bind } from '../../http/bind.ts';
import { createPairing, pairDevice } from './pairing.ts';
import { presentCamera } from './present.ts';
import { createCamera, deleteCamera, updateCamera } from './service.ts';

export function cameraFeature(app: FastifyInstance, context: Context): void {
  const cameraById = async ({ params }: { params: { id: string } }): Promise<CameraRow> => {
    const camera = await findCamera(context.db, params.id);
    if (!camera) throw new AppError('not_found');
    return camera;
  };
  const present = async (rows: readonly CameraRow[]) => {
    const paired = await findPairedCameras(context.db);
    return rows.map((row) => {
      const report = context.cameras.report(row.id);
      const engineUp = context.live.isUp() || report !== undefined;
      return presentCamera(context.vault, row, { engineUp, report, paired: paired.has(row.id) });
    });
  };
  const presentOne = async (row: CameraRow) => {
    const [camera] = await present([row]);
    if (!camera) throw new AppError('not_found');
    return camera;
  };

  bind(app, context, cameraRoutes.listCameras, {
    async handle({ query }) {
      const page = await findCamerasPage(context.db, query);
      return { cameras: await present(page.rows), total: page.total, nextCursor: page.nextCursor };
    },
  });
  bind(app, context, cameraRoutes.createCamera, {
    async handle({ actor, body }) {
      const row = await createCamera(context, actor, body);
      return { message: 'Camera added successfully', camera: await presentOne(row) };
    },
  });
  bind(app, context, cameraRoutes.getCamera, {
    find: cameraById,
    handle: async ({ subject }) => ({ camera: await presentOne(subject) }),
  });
  bind(app, context, cameraRoutes.updateCamera, {
    find: cameraById,
    async handle({ actor, subject, body }) {
      const row = await updateCamera(context, actor, subject, body);
      // "Saved" means that no further picture shows what the zones cover.
      if (body.zones) await context.live.cover();
      return { message: 'Camera updated successfully', camera: await presentOne(row) };
    },
  });
  bind(app, context, cameraRoutes.deleteCamera, {
    find: cameraById,
    async handle({ actor, subject }) {
      await deleteCamera(context, actor, subject.id);
      return { message: 'Camera removed successfully' };
    },
  });
  bind(app, context, cameraRoutes.createPairing, {
    find: cameraById,
    async handle({ actor, subject }) {
      const { code, expiresAt } = await createPairing(context, actor, subject.id);
      return { code, expiresAt: toMoment(expiresAt) };
    },
  });
  bind(app, context, cameraRoutes.pairDevice, {
    async handle({ actor, body }) {
      const { camera, token } = await pairDevice(context, actor.origin, body.code);
      return { cameraId: camera.id, name: camera.name, area: camera.area, token };
    },
  });
}
