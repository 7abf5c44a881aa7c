/** A child process for tests that obeys commands sent over IPC. */
import { spawn } from 'node:child_process';

type Order = { readonly do: 'echo' | 'exit' | 'ignore SIGTERM' | 'start a child' | 'hang' };

process.on('message', ({ do: what }: Order) => {
  switch (what) {
    case 'echo':
      process.send?.({ echo: true, path: process.env.PATH !== undefined, env: Object.keys(process.env) });
      break;
    case 'exit':
      process.exit(3);
      break;
    case 'ignore SIGTERM':
      process.on('SIGTERM', () => {});
      process.send?.('ignoring');
      break;
    case 'start a child':
      process.send?.({ child: spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)']).pid });
      break;
    case 'hang':
      for (;;);
  }
});
process.send?.('hello');
