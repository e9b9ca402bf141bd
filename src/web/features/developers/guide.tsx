import type { ReactNode } from 'react';
import { ANSWER_FORMATS } from '#contract/answer-format';
import { API_KEY_PREFIX, MAX_API_KEYS, REPEATED_ANSWER_HOURS } from '#contract/api-key-rules';
import type { Extraction } from '#contract/extraction';
import { JOB_KEPT_HOURS, JOB_LIMITS } from '#contract/job';
import { PAGES } from '#contract/paths';
import { numberInWords } from '#contract/product';
import documentPython from '../../../../content/examples/read_document.py?raw';
import python from '../../../../content/examples/read_picture.py?raw';
import documentShell from '../../../../content/examples/read-document.sh?raw';
import documentTypescript from '../../../../content/examples/read-document.ts?raw';
import shell from '../../../../content/examples/read-picture.sh?raw';
import typescript from '../../../../content/examples/read-picture.ts?raw';
import receiverPython from '../../../../content/examples/receive_webhook.py?raw';
import receiverTypescript from '../../../../content/examples/receive-webhook.ts?raw';
import { useSite } from '../../site/site.tsx';
import { TextLink } from '../../ui/basics/button.tsx';
import { Badge } from '../../ui/basics/display.tsx';

const EXAMPLES = [
  { name: 'curl', code: shell },
  { name: 'TypeScript', code: typescript },
  { name: 'Python', code: python },
];

const JOB_EXAMPLES = [
  { name: 'curl', code: documentShell },
  { name: 'TypeScript', code: documentTypescript },
  { name: 'Python', code: documentPython },
];

const WEBHOOK_EXAMPLES = [
  { name: 'TypeScript', code: receiverTypescript },
  { name: 'Python', code: receiverPython },
];

const RESPONSE: Pick<Extraction, 'extractedText' | 'wordCount' | 'confidence'> = {
  extractedText: 'MARLOW & FINCH\nStationers, 14 Quay Street\nTOTAL 28.75',
  wordCount: 8,
  confidence: 98,
};

const JSON_REQUEST = JSON.stringify(
  { image: 'iVBORw0KGgo…', languages: 'deu+eng', format: 'markdown' },
  null,
  2,
);

/** A first call: a key, one request and its response. */
export function FirstCall() {
  const { publicUrl } = useSite();
  const request = `curl ${publicUrl}/api/extract-text \\
  --header 'Authorization: Bearer ${API_KEY_PREFIX}…' \\
  --header 'Content-Type: image/jpeg' \\
  --data-binary @receipt.jpg`;
  return (
    <section aria-labelledby="first-call" className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <h2 id="first-call" className="scroll-mt-24 text-2xl">
        First call
      </h2>
      <Part title="1. Make a key">
        <p>
          With premium, under “API keys” in <TextLink href={PAGES.account}>your account</TextLink>. It is
          shown once.
        </p>
      </Part>
      <Part title="2. Send an image">
        <Listing label="First request" code={request} />
      </Part>
      <Part title="3. Use its text">
        <Listing label="First answer" code={JSON.stringify(RESPONSE, null, 2)} />
        <p>
          The response also has lines and words with their boxes, tables and headings: see{' '}
          <TextLink href="#extractText">the reference of the call</TextLink>.
        </p>
      </Part>
    </section>
  );
}

/** How a program calls the API: keys, request bodies, jobs, webhooks, formats, limits, errors. */
export function Guide() {
  return (
    <section aria-labelledby="guide" className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <h2 id="guide" className="scroll-mt-24 text-2xl">
        Guide
      </h2>
      <Keys />
      <Images />
      <Jobs />
      <Part title="Webhooks">
        <p>
          If a job has the field <Code>webhook</Code>, an https URL of yours, the server sends{' '}
          <Code>job.done</Code> or <Code>job.failed</Code> to this URL when the job ends, with the id and the
          counts of the job and without a text. Webhooks are signed as{' '}
          <TextLink href="https://www.standardwebhooks.com/">Standard Webhooks</TextLink> specifies, with the
          webhook secret from <TextLink href={PAGES.account}>your account</TextLink>. Libraries for that
          standard and the programs below verify them. If your server does not respond with 2xx within ten
          seconds, the webhook is sent again for a day, with growing pauses and the same{' '}
          <Code>webhook-id</Code>; the status <Code>410</Code> stops the retries. The URL must be public, at
          port 443 or 8443; redirects are not followed.
        </p>
        <Examples subject="Webhook" examples={WEBHOOK_EXAMPLES} />
      </Part>
      <Formats />
      <Limits />
      <Part title="Error responses">
        <p>
          With a key, errors are problem details (RFC 9457, <Code>application/problem+json</Code>):{' '}
          <Code>code</Code> is stable and for your program, <Code>detail</Code> is for people and may change,
          and <Code>type</Code> is the URL of the code’s explanation <TextLink href="#errors">below</TextLink>
          .
        </p>
      </Part>
    </section>
  );
}

const Keys = () => (
  <Part title="Keys">
    <p>
      With premium you make up to {numberInWords(MAX_API_KEYS)} keys in{' '}
      <TextLink href={PAGES.account}>your account</TextLink>. A key begins with <Code>{API_KEY_PREFIX}</Code>,
      is shown once and stored as a hash. Send it with each call as <Code>Authorization: Bearer</Code>. The
      calls marked “key” below accept it if it has their scope. A key never gives access to your account, your
      texts or payments. Cookies that are sent with a key are ignored. A revoked key stops working at once.
      When premium ends, keys stop working until you have premium again.
    </p>
    <p>
      A web page can call with a key that names its origin, such as <Code>https://app.example.org</Code>.
      Visitors of the page can read the key, so do this only if you trust them with your quota; other pages
      cannot read the responses.
    </p>
  </Part>
);

const Images = () => (
  <Part title="Read an image">
    <p>
      <Code>POST /api/extract-text</Code> takes an image in three ways: as the body itself with its media
      type, as the field <Code>file</Code> of a form, or as Base64 in the field <Code>image</Code> of a JSON
      object. Options are in the query, in the form, before the file, or in the JSON object. One page of a PDF
      or a TIFF is read with <Code>page</Code>, counted from 1; jobs read all pages.
    </p>
    <Listing label="JSON body" code={JSON_REQUEST} />
    <p>
      Words have a <Code>box</Code> in pixels of the image, and if they are rotated, their four corners as{' '}
      <Code>polygon</Code>.
    </p>
    <p>
      These programs need <Code>GLYPHLIFT_URL</Code>, the address of this page without its path, and{' '}
      <Code>GLYPHLIFT_KEY</Code>.
    </p>
    <Examples subject="Example" examples={EXAMPLES} />
  </Part>
);

const Jobs = () => (
  <Part title="Read many pages">
    <p>
      A job takes up to {numberInWords(JOB_LIMITS.files)} files of {JOB_LIMITS.megabytes} MB and{' '}
      {numberInWords(JOB_LIMITS.pages)} pages together: images, PDFs, and TIFFs of several pages. The response
      of <Code>POST /api/jobs</Code> comes at once and has the URL of the job in <Code>Location</Code>. This
      URL returns the state of each page; <Code>Retry-After</Code> says when to request it again. When the job
      has ended, <Code>/result</Code> below this URL is one document of all pages, in any of the formats
      below. Pages of jobs have the lowest priority, and each page with text counts as one extraction.
    </p>
    <p>
      The result is kept in memory for {numberInWords(JOB_KEPT_HOURS.result)} hour; delete the job to remove
      it at once. If the server stops during a job, unread pages fail with <Code>jobs.interrupted</Code>, and
      the others can usually still be fetched. Send the files again: pages that were counted are not counted
      again.
    </p>
    <Examples subject="Job" examples={JOB_EXAMPLES} />
  </Part>
);

const Formats = () => (
  <Part title="Formats">
    <p>
      The response is JSON unless you request another format, with <Code>format</Code> or else with{' '}
      <Code>Accept</Code>. If <Code>Accept</Code> names no available format, the response is 406 and lists
      them. CSV and Excel contain tables only: without a table the response is 422, and nothing is counted.
    </p>
    <dl className="border-t border-rule text-sm">
      {Object.entries(ANSWER_FORMATS).map(([id, { name, type, premium }]) => (
        <div
          key={id}
          className="grid items-baseline gap-x-6 border-b border-rule py-1.5 sm:grid-cols-[7rem_minmax(0,1fr)]"
        >
          <dt className="font-mono">{id}</dt>
          <dd className="flex flex-wrap items-baseline gap-x-3 text-ink-soft wrap-anywhere">
            {name}, {type} {premium && <Badge>premium</Badge>}
          </dd>
        </div>
      ))}
    </dl>
  </Part>
);

const Limits = () => (
  <Part title="Quota and limits">
    <p>
      An image that is read with a key counts like one that you read here, and has the priority of premium. A
      failed request or an image without text is not counted. Send an <Code>Idempotency-Key</Code> with each
      image: a new key for each image, and the same key when you retry a request without a response. For{' '}
      {numberInWords(REPEATED_ANSWER_HOURS)} hours the retried request gets the first response, and is counted
      once.
    </p>
    <p>
      All keys of an account share a limit of calls per minute: <Code>RateLimit-Policy</Code> is the limit,{' '}
      <Code>RateLimit</Code> what is left (<Code>r</Code>) for how many seconds (<Code>t</Code>). With 429 and
      503, <Code>Retry-After</Code> says when to try again.
    </p>
  </Part>
);

/** @param subject prefix of the accessible name */
function Examples({
  subject,
  examples,
}: {
  subject: string;
  examples: readonly { name: string; code: string }[];
}) {
  return examples.map(({ name, code }) => (
    <figure key={name} className="grid gap-2">
      <figcaption className="text-sm font-medium">{name}</figcaption>
      <Listing label={`${subject} in ${name}`} code={code} />
    </figure>
  ));
}

const Listing = ({ label, code }: { label: string; code: string }) => (
  <section
    aria-label={label}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    tabIndex={0}
    className="overflow-x-auto border-y border-rule bg-sunk p-4 font-mono text-sm"
  >
    <pre>
      <code>{code.trimEnd()}</code>
    </pre>
  </section>
);

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <h3 className="text-xl">{title}</h3>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 [&>p]:max-w-2xl">{children}</div>
    </div>
  );
}

const Code = ({ children }: { children: string }) => (
  <code className="font-mono text-[0.95em] wrap-anywhere">{children}</code>
);
