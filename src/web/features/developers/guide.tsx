import type { ReactNode } from 'react';
import { ANSWER_FORMATS } from '#contract/answer-format';
import { API_KEY_PREFIX, MAX_API_KEYS } from '#contract/api-key-rules';
import type { Extraction } from '#contract/extraction';
import { JOB_KEPT_HOURS, JOB_LIMITS } from '#contract/job';
import { PAGES } from '#contract/paths';
import { numberInWords } from '#contract/product';
import hearPython from '../../../../content/examples/hear_webhook.py?raw';
import hearTypescript from '../../../../content/examples/hear-webhook.ts?raw';
import documentPython from '../../../../content/examples/read_document.py?raw';
import python from '../../../../content/examples/read_picture.py?raw';
import documentShell from '../../../../content/examples/read-document.sh?raw';
import documentTypescript from '../../../../content/examples/read-document.ts?raw';
import shell from '../../../../content/examples/read-picture.sh?raw';
import typescript from '../../../../content/examples/read-picture.ts?raw';
import { useSite } from '../../site/site.tsx';
import { Badge } from '../../ui/basics/badge.tsx';
import { TextLink } from '../../ui/basics/link.tsx';

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
  { name: 'TypeScript', code: hearTypescript },
  { name: 'Python', code: hearPython },
];

const ANSWER: Pick<Extraction, 'extractedText' | 'wordCount' | 'confidence'> = {
  extractedText: 'MARLOW & FINCH\nStationers, 14 Quay Street\nTOTAL 28.75',
  wordCount: 8,
  confidence: 98,
};

/** The first steps of a programmer: a key, one request, its answer. */
export function FirstCall() {
  const { publicUrl } = useSite();
  const request = `curl ${publicUrl}/api/extract-text \\
  --header 'Authorization: Bearer ${API_KEY_PREFIX}…' \\
  --form file=@receipt.jpg`;
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
      <Part title="2. Send a picture">
        <Listing label="First request" code={request} />
      </Part>
      <Part title="3. Take its text">
        <Listing label="First answer" code={JSON.stringify(ANSWER, null, 2)} />
        <p>
          The answer also has the lines and words with their places: see{' '}
          <TextLink href="#extractText">the call itself</TextLink>.
        </p>
      </Part>
    </section>
  );
}

/** How a program calls the API: keys, examples, formats, limits, failures. */
export function Guide() {
  return (
    <section aria-labelledby="guide" className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <h2 id="guide" className="scroll-mt-24 text-2xl">
        Guide
      </h2>
      <Part title="A key">
        <p>
          With premium you make up to {numberInWords(MAX_API_KEYS)} keys in{' '}
          <TextLink href={PAGES.account}>your account</TextLink>. A key begins with{' '}
          <Code>{API_KEY_PREFIX}</Code>, is shown once and kept as a hash. It is sent with each call as{' '}
          <Code>Authorization: Bearer</Code> and opens the calls that say so below, if it was made for them:
          never your account, your texts or payments. Cookies that come along count for nothing. A key that
          you revoke is refused from that moment on; when premium ends, keys rest until it is back.
        </p>
      </Part>
      <Part title="Read a picture">
        <p>
          Each example asks for <Code>GLYPHLIFT_URL</Code>, the address of this page without its path, and{' '}
          <Code>GLYPHLIFT_KEY</Code>.
        </p>
        <Examples of="Example" examples={EXAMPLES} />
      </Part>
      <Part title="Read many pages">
        <p>
          A job holds up to {numberInWords(JOB_LIMITS.files)} files of {JOB_LIMITS.megabytes} MB and{' '}
          {numberInWords(JOB_LIMITS.pages)} pages together: pictures, PDFs, and TIFFs of many pages.{' '}
          <Code>POST /api/jobs</Code> answers at once with its <Code>Location</Code>; there you ask how each
          page stands, as often as <Code>Retry-After</Code> says. When it has ended, <Code>/result</Code>{' '}
          under it is one document of all pages in any of the formats below. Pages come after whoever waits in
          front of a page here, and each that has text counts as one extraction.
        </p>
        <p>
          The result is kept for {numberInWords(JOB_KEPT_HOURS.result)} hour and lies in memory. Delete the
          job when you have it: then it is forgotten at once. Where the server breaks off, pages that were not
          read have failed with <Code>jobs.interrupted</Code>, and the others can often still be fetched. Send
          the files again: what was counted is not counted again.
        </p>
        <Examples of="Job" examples={JOB_EXAMPLES} />
      </Part>
      <Part title="Be told of the end">
        <p>
          With the field <Code>webhook</Code>, an https address of yours, a job tells you of its end:{' '}
          <Code>job.done</Code> or <Code>job.failed</Code>, with its number and counts and never with a text.
          It is signed as <TextLink href="https://www.standardwebhooks.com/">Standard Webhooks</TextLink> has
          it, with the webhook secret from <TextLink href={PAGES.account}>your account</TextLink>; libraries
          for that check it as well as these programs do. Whatever is not answered with 2xx within ten seconds
          is told again for a day, with growing pauses and under the same <Code>webhook-id</Code>;{' '}
          <Code>410</Code> ends it. The address has to be one that everybody can reach, at port 443 or 8443;
          redirects are not followed.
        </p>
        <Examples of="Webhook" examples={WEBHOOK_EXAMPLES} />
      </Part>
      <Part title="Formats">
        <p>
          A text is answered as JSON unless another format is asked for: by the field <Code>format</Code> of
          the form, else by the query, else by <Code>Accept</Code>. Where nothing is offered that Accept
          names, the answer is 406 and says what there is. CSV and Excel hold the tables alone: where none was
          found, the answer is 422 and nothing is counted.
        </p>
        <dl className="border-t border-rule text-sm">
          {Object.entries(ANSWER_FORMATS).map(([id, { name, type, premium }]) => (
            <div
              key={id}
              className="grid items-baseline gap-x-6 border-b border-rule py-1.5 sm:grid-cols-[7rem_minmax(0,1fr)]"
            >
              <dt className="font-mono">{id}</dt>
              <dd className="flex flex-wrap items-baseline gap-x-3 text-ink-soft">
                {name}, {type} {premium && <Badge>premium</Badge>}
              </dd>
            </div>
          ))}
        </dl>
      </Part>
      <Part title="Quota and limits">
        <p>
          A picture that is read with a key counts as one that you read here, and comes before free ones as
          those do. What was not read, and what has no text, is not counted. Send an{' '}
          <Code>Idempotency-Key</Code> with each picture, new for each and the same when you repeat it because
          no answer came: within half a minute you are answered what you were answered the first time, and
          charged once.
        </p>
        <p>
          All keys of one person share a limit of calls a minute. <Code>RateLimit-Policy</Code> says how many
          there are, <Code>RateLimit</Code> how many are left (<Code>r</Code>) and for how many seconds (
          <Code>t</Code>). With 429 and 503, <Code>Retry-After</Code> says when it is worth trying again.
        </p>
      </Part>
      <Part title="Failures">
        <p>
          A program that calls with a key is told failures as problem details (RFC 9457,{' '}
          <Code>application/problem+json</Code>): <Code>code</Code> to decide by, which stays,{' '}
          <Code>detail</Code> to show, which may change, and <Code>type</Code>, the address where the code is
          explained <TextLink href="#errors">below</TextLink>.
        </p>
      </Part>
    </section>
  );
}

/** @param of the subject of `name`, for the accessible name */
function Examples({ of, examples }: { of: string; examples: readonly { name: string; code: string }[] }) {
  return examples.map(({ name, code }) => (
    <figure key={name} className="grid gap-2">
      <figcaption className="text-sm font-medium">{name}</figcaption>
      <Listing label={`${of} in ${name}`} code={code} />
    </figure>
  ));
}

const Listing = ({ label, code }: { label: string; code: string }) => (
  <section
    aria-label={label}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the page is scrolled by keyboard, too
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
