/** Typed keys: English is the list of what exists. */
import type addChild from './en/add-child.json';
import type audit from './en/audit.json';
import type auth from './en/auth.json';
import type cameras from './en/cameras.json';
import type checkFace from './en/check-face.json';
import type common from './en/common.json';
import type dashboard from './en/dashboard.json';
import type deviceCamera from './en/device-camera.json';
import type employees from './en/employees.json';
import type entrySlip from './en/entry-slip.json';
import type environment from './en/environment.json';
import type errors from './en/errors.json';
import type fields from './en/fields.json';
import type home from './en/home.json';
import type imports from './en/imports.json';
import type incidents from './en/incidents.json';
import type legal from './en/legal.json';
import type liveFeed from './en/live-feed.json';
import type livePicture from './en/live-picture.json';
import type notices from './en/notices.json';
import type password from './en/password.json';
import type profile from './en/profile.json';
import type recognition from './en/recognition.json';
import type reports from './en/reports.json';
import type shell from './en/shell.json';
import type stays from './en/stays.json';
import type vouching from './en/vouching.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: {
      'add-child': typeof addChild;
      audit: typeof audit;
      auth: typeof auth;
      cameras: typeof cameras;
      'check-face': typeof checkFace;
      common: typeof common;
      dashboard: typeof dashboard;
      'device-camera': typeof deviceCamera;
      employees: typeof employees;
      'entry-slip': typeof entrySlip;
      environment: typeof environment;
      errors: typeof errors;
      fields: typeof fields;
      home: typeof home;
      imports: typeof imports;
      incidents: typeof incidents;
      legal: typeof legal;
      'live-feed': typeof liveFeed;
      'live-picture': typeof livePicture;
      notices: typeof notices;
      password: typeof password;
      profile: typeof profile;
      recognition: typeof recognition;
      reports: typeof reports;
      shell: typeof shell;
      stays: typeof stays;
      vouching: typeof vouching;
    };
  }
}
