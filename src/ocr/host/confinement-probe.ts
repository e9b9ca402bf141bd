/** Capabilities that the probe found in its sandbox. */
export interface ProbeAnswer {
  /** A required file that it could not read. */
  unreadable: string | null;
  user: number;
  /** Name of its network namespace. */
  network: string;
  /** Whether it can read files outside its list. */
  readsElsewhere: boolean;
  /** Name of its process namespace. */
  processes: string;
  /** Whether it can read the environment of the process that started it. */
  readsParent: boolean;
  noNewPrivileges: boolean;
  /** Whether it has any capability, or could get one. */
  capabilities: boolean;
  memoryLimited: boolean;
}

/**
 * Plain JavaScript for Node's `--eval` with one argument, `{ readable, parent }` as JSON: paths, and the id of the starting
 * process. It is text so that it needs neither a file nor a loader in the sandbox.
 */
export const PROBE = `
const fs = require('node:fs');
const { join } = require('node:path');
const { readable, parent } = JSON.parse(process.argv[process.argv.length - 1]);
const may = (file) => { try { fs.closeSync(fs.openSync(file, 'r')); return true; } catch { return false; } };
const entriesOf = (file) =>
  fs.statSync(file).isDirectory() ? fs.readdirSync(file).map((name) => join(file, name)).filter(fs.existsSync) : [];
const unreadable = readable.find((file) => {
  // Opening a FIFO would block until it has a writer.
  try { return [file, ...entriesOf(file)].some((entry) => fs.accessSync(entry, fs.constants.R_OK)); } catch { return true; }
});
const status = fs.readFileSync('/proc/self/status', 'utf8');
const field = (name) => (new RegExp('^' + name + ':\\\\s*(\\\\S+)', 'm').exec(status) || [])[1];
const data = /^Max data size +(\\S+)/m.exec(fs.readFileSync('/proc/self/limits', 'utf8'));
process.stdout.write(JSON.stringify({
  unreadable: unreadable === undefined ? null : unreadable,
  user: process.getuid(),
  network: fs.readlinkSync('/proc/self/ns/net'),
  readsElsewhere: may('/etc/passwd'),
  processes: fs.readlinkSync('/proc/self/ns/pid'),
  readsParent: may('/proc/' + parent + '/environ'),
  noNewPrivileges: field('NoNewPrivs') === '1',
  capabilities: ['CapInh', 'CapPrm', 'CapEff', 'CapAmb'].some((name) => /[1-9a-f]/.test(field(name))),
  memoryLimited: data !== null && data[1] !== 'unlimited',
}));
`;
