/** The tasks of a recognizer thread that need no tesseract: the same on every platform. */
import { OCR_ERRORS, OcrError } from '../errors.ts';
import { Effort } from '../layout/order/line-fragments.ts';
import { orderLines } from '../layout/order/order.ts';
import type { Network, OpenModel } from '../networks/network.ts';
import { Recent } from '../recent.ts';
import type { Posteriors } from '../recognizers/ctc.ts';
import { featuresOf } from '../recognizers/paddle-features.ts';
import { posteriorsOf } from '../recognizers/tesseract-network.ts';
import type { SharedNetwork, ThreadAnswers, ThreadTask } from './tasks.ts';

/** Number of languages' networks that are kept open. */
const OPEN_NETWORKS = 3;

export type NetworkTask = Extract<ThreadTask, { kind: 'features' | 'posteriors' | 'order' }>;

/** Runs tasks on one thread, which keeps the latest networks open. */
export class NetworkTasks {
  readonly #openModel: OpenModel;
  readonly #primary = openNetworks(OPEN_NETWORKS);
  readonly #secondary = openNetworks(1);

  constructor(openModel: OpenModel) {
    this.#openModel = openModel;
  }

  /** Opens networks ahead of need. */
  async prepare(second: SharedNetwork, first: SharedNetwork | undefined): Promise<void> {
    await this.#opened(this.#secondary, second);
    if (first) await this.#opened(this.#primary, first);
  }

  /** @throws {OcrError} `aborted` */
  async perform<Task extends NetworkTask>(task: Task): Promise<ThreadAnswers[Task['kind']]>;
  async perform(task: NetworkTask): Promise<ThreadAnswers[NetworkTask['kind']]> {
    switch (task.kind) {
      case 'features': {
        const network = await this.#opened(this.#secondary, task.second);
        throwIfStopped(task.stop);
        return featuresOf(network, task.crop);
      }
      case 'order':
        return orderLines(task.boxes, task.options, new Effort(() => throwIfStopped(task.stop)));
      case 'posteriors':
        return this.#posteriors(task);
    }
  }

  async #posteriors({
    crops,
    network,
    stop,
  }: Extract<NetworkTask, { kind: 'posteriors' }>): Promise<Posteriors[]> {
    const reader = await this.#opened(this.#primary, network);
    const all: Posteriors[] = [];
    for (const crop of crops) {
      throwIfStopped(stop);
      all.push(await posteriorsOf(reader, crop));
    }
    return all;
  }

  /** A line is too little work for several cores, and a run blocks its thread: so each thread has its own session. */
  #opened(networks: Recent<Promise<Network>>, { name, model }: SharedNetwork): Promise<Network> {
    return networks.get(name, () =>
      // The runtime does not read shared memory.
      this.#openModel(typeof model === 'string' ? model : model.slice(), 1).catch((error: unknown) => {
        networks.forget(name);
        throw error;
      }),
    );
  }
}

function openNetworks(limit: number): Recent<Promise<Network>> {
  return new Recent(limit, (opening) => {
    opening.then(
      (network) => network.release(),
      () => {},
    );
  });
}

function throwIfStopped(stop: Int32Array): void {
  if (Atomics.load(stop, 0) !== 0) throw new OcrError(OCR_ERRORS.aborted, 'the picture was given up');
}
