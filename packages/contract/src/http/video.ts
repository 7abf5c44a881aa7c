/** Live pictures: the MJPEG of the spec, opened by `<img>`, VLC, ffmpeg or Home Assistant (contract §4). */
import { z } from 'zod';
import { defineRoute } from './route.ts';

export const videoRoutes = {
  getVideoFeed: defineRoute({
    id: 'getVideoFeed',
    method: 'GET',
    path: '/video_feed',
    access: 'signed-in',
    summary:
      'Multipart JPEG of the camera that saw this child last; to a parent only the own children are sharp. Staff may ask for a camera instead',
    query: z.object({
      target_name: z.string().max(200).optional(),
      target_id: z.string().max(100).optional(),
      camera_id: z.string().max(100).optional(),
      ticket: z.string().max(200).optional(),
    }),
    status: 200,
    answer: 'multipart/x-mixed-replace',
    errors: ['invalid_request', 'not_found', 'forbidden', 'invalid_ticket', 'child_outside', 'no_camera'],
  }),
};
