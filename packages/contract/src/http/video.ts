/** Live pictures: the MJPEG stream of the specification, for `<img>`, VLC, ffmpeg or Home Assistant (contract §4). */
import * as z from 'zod/mini';
import { defineRoute } from './route.ts';

export const videoRoutes = {
  getVideoFeed: defineRoute({
    id: 'getVideoFeed',
    method: 'GET',
    path: '/video_feed',
    access: 'signed-in',
    permission: 'by-subject',
    summary:
      'Multipart JPEG of the camera that last saw this child; for a parent, only their own children are sharp. Staff may request a camera instead',
    query: z.object({
      target_name: z.optional(z.string().check(z.maxLength(200))),
      target_id: z.optional(z.string().check(z.maxLength(100))),
      camera_id: z.optional(z.string().check(z.maxLength(100))),
      ticket: z.optional(z.string().check(z.maxLength(200))),
    }),
    status: 200,
    answer: 'multipart/x-mixed-replace',
    errors: ['invalid_request', 'not_found', 'forbidden', 'invalid_ticket', 'child_outside', 'no_camera'],
  }),
};
