import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { loadConfig, VARIABLES } from '../src/server/config.ts';
import {
  longestStopMs,
  longestWorkerStopMs,
  minimumRateOf,
} from '../src/server/recognition/recognition.settings.ts';
import { longestUploadMs } from '../src/server/recognition/upload/upload.ts';
import { root } from './bootstrap.mjs';

/** Checks that the files in `deploy` match the server: names of settings, ports, paths, times. */

const read = (file: string) => readFileSync(join(root, 'deploy', file), 'utf8');

/** Parses all YAML documents of a file; resolves anchors and merges, and rejects duplicate keys. */
function parsed<T>(file: string): T[] {
  return parseAllDocuments(read(file), { merge: true, uniqueKeys: true }).map((document) => {
    expect(document.errors, file).toEqual([]);
    return document.toJS() as T;
  });
}

interface Service {
  image: string;
  command?: string[];
  environment?: Record<string, string>;
  env_file?: unknown;
  networks: string[];
  depends_on?: Record<string, { condition: string }>;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  stop_grace_period?: string;
  healthcheck?: object;
  secrets?: string[];
  volumes?: string[];
  ports?: string[];
}
interface Compose {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean }>;
  volumes?: object;
  secrets?: object;
}
interface Container {
  name: string;
  command?: string[];
  envFrom?: Array<{ configMapRef?: { name: string }; secretRef?: { name: string } }>;
  env?: Array<{ name: string }>;
  ports: Array<{ name: string; containerPort: number }>;
  securityContext: object;
  [probe: string]: unknown;
}
interface Manifest {
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  resources?: string[];
  spec: {
    template: {
      spec: { containers: Container[]; terminationGracePeriodSeconds: number; securityContext: object };
    };
    metrics: Array<{ external: { metric: { name: string } } }>;
    podSelector: { matchLabels?: Record<string, string> };
  };
}

const KNOWN = Object.values(VARIABLES).map(({ name }) => name);
const config = loadConfig({});
const [one, many] = [parsed<Compose>('compose.yaml')[0]!, parsed<Compose>('compose.many.yaml')[0]!];
const manifests = readdirSync(join(root, 'deploy/kubernetes')).flatMap((file) =>
  parsed<Manifest>(`kubernetes/${file}`),
);
const manifest = (kind: string, name: string): Manifest => {
  const found = manifests.find((candidate) => candidate.kind === kind && candidate.metadata?.name === name);
  if (!found) throw new Error(`there is no ${kind} ${name}`);
  return found;
};
const isOwnImage = ({ image }: Service) => image === `\${IMAGE:-glyphlift}`;
const ownServicesIn = ({ services }: Compose) =>
  Object.entries(services).filter(([, service]) => isOwnImage(service));
const isWorker = (command: readonly string[] = []) => command.some((word) => word.endsWith('worker.js'));
const seconds = (text = '0s') => Number(/^(\d+)s$/.exec(text)?.[1]);

/** Maximum shutdown time of each kind of process, in seconds. */
const needs = (worker: boolean, drainSeconds = '0') =>
  worker ? longestWorkerStopMs(config) / 1000 : longestStopMs(config) / 1000 + Number(drainSeconds);

it('deploy files: set only settings that exist', () => {
  const named = [
    ...[one, many].flatMap((file) =>
      ownServicesIn(file).flatMap(([, { environment }]) => Object.keys(environment ?? {})),
    ),
    ...['glyphlift-web', 'glyphlift-worker'].flatMap((name) =>
      Object.keys(manifest('ConfigMap', name).data ?? {}),
    ),
    ...['web', 'worker'].flatMap((name) =>
      manifest('Deployment', name).spec.template.spec.containers.flatMap(({ env = [] }) =>
        env.map(({ name }) => name),
      ),
    ),
    ...unitsOf().flatMap(({ environment }) => Object.keys(environment)),
    ...[...read('Dockerfile').matchAll(/^ENV (.*)$/gm)].flatMap(([, pairs = '']) =>
      pairs.split(' ').map((pair) => pair.split('=')[0]!),
    ),
    ...[...read('Dockerfile').matchAll(/process\.env\.(\w+)/g)].map(([, name]) => name!),
  ];
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !KNOWN.includes(name))).toEqual([]);
});

it('deploy files: set only values that the settings accept', () => {
  const environments = [
    ...[one, many].flatMap((file) => ownServicesIn(file).map(([, { environment = {} }]) => environment)),
    manifest('ConfigMap', 'glyphlift-web').data ?? {},
    manifest('ConfigMap', 'glyphlift-worker').data ?? {},
    ...unitsOf().map(({ environment }) => environment),
  ];
  // Replaces placeholders of Compose and systemd.
  const filled = (value: string) =>
    value
      .replace(/\$\{\w+:-([^}]*)\}/g, '$1')
      .replace(/\$\{\w+:\?[^}]*\}/g, 'text.example.org')
      .replace('%i', '3001');
  for (const environment of environments) {
    const values = Object.entries(environment).map(([name, value]) => [name, filled(String(value))]);
    expect(() => loadConfig(Object.fromEntries(values))).not.toThrow();
  }
});

it('deploy files: set stop timeouts of containers above the maximum shutdown time', () => {
  for (const [name, { command, environment, stop_grace_period }] of [one, many].flatMap(ownServicesIn)) {
    const needed = needs(isWorker(command), environment?.DRAIN_SECONDS);
    expect(seconds(stop_grace_period), name).toBeGreaterThanOrEqual(needed);
  }
  for (const { file, environment, stopSeconds } of unitsOf()) {
    expect(stopSeconds, file).toBeGreaterThanOrEqual(
      needs(file.includes('worker'), environment.DRAIN_SECONDS),
    );
  }
  for (const name of ['web', 'worker']) {
    const { terminationGracePeriodSeconds: given } = manifest('Deployment', name).spec.template.spec;
    const drain = manifest('ConfigMap', `glyphlift-${name}`).data?.DRAIN_SECONDS;
    expect(given, name).toBeGreaterThanOrEqual(needs(name === 'worker', drain));
  }
});

it('deploy files: the proxy waits as long for a slow upload as the server', () => {
  const [, minutes = ''] = /read_body (\d+)m/.exec(read('Caddyfile')) ?? [];
  expect(Number(minutes) * 60_000).toBeGreaterThan(longestUploadMs(minimumRateOf(config)));
});

it('deploy files: probe readiness often enough to notice a draining server in time', () => {
  const [, interval = ''] = /health_interval (\d+)s/.exec(read('Caddyfile')) ?? [];
  const [, timeout = ''] = /health_timeout (\d+)s/.exec(read('Caddyfile')) ?? [];
  const drain = Number(many.services['web-a']?.environment?.DRAIN_SECONDS);
  expect(drain).toBeGreaterThan(Number(interval) + Number(timeout));
  const [container] = manifest('Deployment', 'web').spec.template.spec.containers;
  const probe = (container?.readinessProbe ?? {}) as Record<string, number>;
  const { periodSeconds = 0, timeoutSeconds = 0, failureThreshold = 0 } = probe;
  const noticed = periodSeconds * failureThreshold + timeoutSeconds;
  expect(Number(manifest('ConfigMap', 'glyphlift-web').data?.DRAIN_SECONDS)).toBeGreaterThan(noticed);
});

it('deploy files: refer only to programs and files that exist', () => {
  const commands = [
    ...[one, many].flatMap((file) => ownServicesIn(file).flatMap(([, { command = [] }]) => command)),
    ...unitsOf().flatMap(({ text }) => text.match(/\S+\.js\b/g) ?? []),
    ...(read('Dockerfile').match(/dist\/[\w/]+\.js/g) ?? []),
    ...manifests.flatMap(
      ({ spec }) => spec?.template?.spec?.containers?.flatMap(({ command = [] }) => command) ?? [],
    ),
  ].filter((word) => word.startsWith('dist/'));
  expect(new Set(commands)).toEqual(new Set(['dist/node/server/main.js', 'dist/node/server/worker.js']));
  for (const command of commands) {
    const source = command.replace('dist/node', 'src').replace(/js$/, 'ts');
    expect(existsSync(join(root, source)), source).toBe(true);
  }
  for (const file of manifests.find(({ kind }) => kind === 'Kustomization')?.resources ?? []) {
    expect(existsSync(join(root, 'deploy/kubernetes', file)), file).toBe(true);
  }
  for (const [, file = ''] of `${read('compose.yaml')}${read('compose.many.yaml')}`.matchAll(
    /(?:seccomp=|\.\/)([\w.]+)/g,
  )) {
    expect(existsSync(join(root, 'deploy', file)), file).toBe(true);
  }
});

it('deploy files: probe the ports that the servers listen on', () => {
  const [, imagePort] = /PORT=(\d+)/.exec(read('Dockerfile')) ?? [];
  expect(read('Dockerfile')).toContain(`EXPOSE ${imagePort}`);
  for (const { services } of [one, many]) {
    for (const server of services.proxy?.environment?.SERVERS?.split(' ') ?? []) {
      const [name = '', port] = server.split(':');
      expect(services[name] && isOwnImage(services[name]), server).toBe(true);
      expect(port).toBe(imagePort);
    }
  }
  const [web] = manifest('Deployment', 'web').spec.template.spec.containers;
  const [worker] = manifest('Deployment', 'worker').spec.template.spec.containers;
  expect(String(web?.ports[0]?.containerPort)).toBe(imagePort);
  expect(String(worker?.ports[0]?.containerPort)).toBe(
    manifest('ConfigMap', 'glyphlift-worker').data?.WORKER_METRICS_PORT,
  );
});

describe('containers', () => {
  it('have a read-only file system and no capabilities, and cannot gain privileges', () => {
    for (const [name, service] of [one, many].flatMap((file) => Object.entries(file.services))) {
      if (name === 'postgres') continue;
      expect(service, name).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
      expect(service.security_opt, name).toContain('no-new-privileges:true');
    }
    for (const name of ['web', 'worker', 'valkey']) {
      const { containers, securityContext } = manifest('Deployment', name).spec.template.spec;
      expect(securityContext, name).toMatchObject({ runAsNonRoot: true });
      expect(containers.map((container) => container.securityContext)).toEqual([
        { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
      ]);
    }
    expect(read('Dockerfile')).toMatch(/^USER 1000:1000$/m);
  });

  it('may create sandboxes only where pictures are read', () => {
    const allowed = JSON.parse(read('seccomp.json')).syscalls.flatMap(
      ({ names }: { names: string[] }) => names,
    );
    expect(allowed).toEqual(
      expect.arrayContaining(['clone', 'unshare', 'mount', 'umount2', 'pivot_root', 'prlimit64']),
    );
    for (const never of [
      'bpf',
      'ptrace',
      'keyctl',
      'init_module',
      'kexec_load',
      'open_by_handle_at',
      'perf_event_open',
    ]) {
      expect(allowed).not.toContain(never);
    }
    for (const [name, { command, security_opt, environment }] of [one, many].flatMap(ownServicesIn)) {
      const reads = isWorker(command) || environment?.REDIS_URL === undefined;
      expect(security_opt?.includes('seccomp=seccomp.json'), name).toBe(reads);
    }
    const profileOf = (name: string) => manifest('Deployment', name).spec.template.spec.securityContext;
    expect(profileOf('worker')).toMatchObject({ seccompProfile: { type: 'Localhost' } });
    expect(profileOf('web')).toMatchObject({ seccompProfile: { type: 'RuntimeDefault' } });
  });

  it('reach only the networks that they need: workers only Valkey, and workers and databases not the internet', () => {
    const inside = (names: readonly string[]) =>
      names.every((name) => many.networks[name]?.internal === true);
    for (const name of ['worker', 'postgres', 'valkey'])
      expect(inside(many.services[name]!.networks), name).toBe(true);
    const neighbors = Object.entries(many.services).filter(([, { networks }]) =>
      networks.some((name) => many.services.worker?.networks.includes(name)),
    );
    expect(neighbors.map(([name]) => name)).toEqual(['worker', 'valkey']);
    expect(many.services.worker?.env_file).toBeUndefined();
    const [worker] = manifest('Deployment', 'worker').spec.template.spec.containers;
    expect(worker?.envFrom).toEqual([{ configMapRef: { name: 'glyphlift-worker' } }]);
    expect(worker?.env?.map(({ name }) => name)).toEqual(['METRICS_TOKEN']);
  });

  it('share a Redis without persistence and eviction', () => {
    const [valkey] = manifest('Deployment', 'valkey').spec.template.spec.containers;
    for (const command of [many.services.valkey?.command, valkey?.command]) {
      const words = command?.join(' ') ?? '';
      expect(words).toContain('--save  --appendonly no');
      expect(words).toContain('--maxmemory-policy noeviction');
    }
  });

  it('refer only to declared networks and volumes in Compose', () => {
    for (const { services, networks, volumes = {}, secrets = {} } of [one, many]) {
      for (const [name, service] of Object.entries(services)) {
        expect(Object.keys(networks), name).toEqual(expect.arrayContaining(service.networks));
        expect(Object.keys(secrets), name).toEqual(expect.arrayContaining(service.secrets ?? []));
        const named = (service.volumes ?? [])
          .map((volume) => volume.split(':')[0]!)
          .filter((one) => !one.startsWith('.'));
        expect(Object.keys(volumes), name).toEqual(expect.arrayContaining(named));
        for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
          expect(services[other], other).toBeDefined();
          const checked = isOwnImage(services[other]!) || services[other]?.healthcheck !== undefined;
          expect([condition, checked], other).toEqual(['service_healthy', true]);
        }
      }
    }
  });
});

it("deploy files: scale workers by metrics that the adapter's rules compute from the server's metrics", () => {
  const rules = parsed<{ rules: { external: Array<{ name: { as: string } }> } }>(
    'kubernetes/prometheus-adapter.yaml',
  );
  const made = rules[0]?.rules.external.map(({ name }) => name.as);
  const asked = manifest('HorizontalPodAutoscaler', 'worker').spec.metrics.map(
    ({ external }) => external.metric.name,
  );
  expect(asked).toEqual(made);
});

it('Dockerfile: the base image has the Node LTS with which the tests also run', () => {
  const [, version] =
    /^const VERSION = '([\d.]+)';$/m.exec(readFileSync(join(root, 'scripts/lts.mjs'), 'utf8')) ?? [];
  expect(read('Dockerfile')).toContain(`ARG BASE=node:${version}-`);
});

function unitsOf() {
  return readdirSync(join(root, 'deploy'))
    .filter((file) => file.endsWith('.service'))
    .map((file) => {
      const text = read(file);
      const pairs = [...text.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = '']) => line.split(' '));
      const environment = Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string]));
      return { file, text, environment, stopSeconds: Number(/^TimeoutStopSec=(\d+)$/m.exec(text)?.[1]) };
    });
}
