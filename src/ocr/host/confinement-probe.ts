/** What the probe could do where it ran. */
export interface ProbeAnswer {
  /** Something that it was to read and could not. */
  unreadable: string | null;
  user: number;
  /** Name of the network that it is in. */
  network: string;
  /** Whether files are open to it that are none of its business. */
  readsElsewhere: boolean;
  /** Name of the set of processes that it is in. */
  processes: string;
  /** Whether the environment of the process that asked is open to it. */
  readsParent: boolean;
  noNewPrivileges: boolean;
  /** Whether it has any capability, or could get one. */
  capabilities: boolean;
  memoryLimited: boolean;
}

/**
 * Plain JavaScript, to be run by Node's `--eval` with one argument, `{ readable, parent }` as JSON: paths, and the id of the
 * process that asks. Text, so that it needs neither a file nor a loader where it runs.
 */
export const PROBE = `
const fs = require('node:fs');
const { join } = require('node:path');
const { readable, parent } = JSON.parse(process.argv[process.argv.length - 1]);
const may = (file) => { try { fs.closeSync(fs.openSync(file, 'r')); return true; } catch { return false; } };
const entriesOf = (file) =>
  fs.statSync(file).isDirectory() ? fs.readdirSync(file).map((name) => join(file, name)).filter(fs.existsSync) : [];
const unreadable = readable.find((file) => {
  // Opening a pipe would wait for somebody to write to it.
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
