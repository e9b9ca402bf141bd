import type { Article } from '#contract/calls/content';

/** Each calls `attacked()` in a page that does not sanitize it. */
export const ATTACKS = [
  '<script>attacked()</script>',
  '<SCRIPT SRC="/attack.js"></SCRIPT>',
  '<scr<script>ipt>attacked()</scr</script>ipt>',
  '<<script>attacked();//<</script>',
  '<img src=x onerror=attacked()>',
  '<img """><script>attacked()</script>">',
  '<img src="javascript:attacked()">',
  '<img src=`javascript:attacked()`>',
  '<img/src="x"/onerror="attacked()">',
  '<img src=x:alert(alt) onerror=eval(src) alt=attacked()>',
  '<body onload=attacked()>',
  '<svg onload=attacked()>',
  '<svg><script>attacked()</script></svg>',
  '<svg><animate onbegin=attacked() attributeName=x dur=1s>',
  '<svg><a xlink:href="javascript:attacked()"><text x="20" y="20">x</text></a></svg>',
  '<math><mtext></mtext><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=attacked()&gt;">',
  '<iframe src="javascript:attacked()"></iframe>',
  '<iframe srcdoc="<script>parent.attacked()</script>"></iframe>',
  '<object data="javascript:attacked()"></object>',
  '<embed src="data:text/html,<script>attacked()</script>">',
  '<link rel="stylesheet" href="javascript:attacked()">',
  '<style>@import "javascript:attacked()"; * { background: url(javascript:attacked()) }</style>',
  '<meta http-equiv="refresh" content="0;url=javascript:attacked()">',
  '<base href="javascript:attacked();//">',
  '<form action="javascript:attacked()"><button>go</button></form>',
  '<button formaction="javascript:attacked()" autofocus onfocus=attacked()>go</button>',
  '<input type="image" src="x" onerror=attacked()>',
  '<details open ontoggle=attacked()><summary>x</summary></details>',
  '<video><source onerror=attacked()></video>',
  '<audio src=x onerror=attacked()>',
  '<marquee onstart=attacked()>x</marquee>',
  '<select autofocus onfocus=attacked()><option>x</select>',
  '<template><script>attacked()</script></template>',
  '<noscript><p title="</noscript><img src=x onerror=attacked()>"></noscript>',
  '<a href="javascript:attacked()">plain</a>',
  '<a href="JaVaScRiPt:attacked()">case</a>',
  '<a href="java\tscript:attacked()">tab</a>',
  '<a href="java&#10;script:attacked()">newline</a>',
  '<a href="&#x6A;&#x61;&#x76;&#x61;&#x73;&#x63;&#x72;&#x69;&#x70;&#x74;&#x3A;attacked()">entities</a>',
  '<a href=" &#14; javascript:attacked()">control</a>',
  '<a href="data:text/html;base64,PHNjcmlwdD5hdHRhY2tlZCgpPC9zY3JpcHQ+">data</a>',
  '<a href="vbscript:attacked()">vb</a>',
  '<a href="https://example.com" onclick="attacked()" onmouseover="attacked()">handler</a>',
  '<p style="background:url(javascript:attacked())">style</p>',
  '<p id="attacked">clobbered id</p>',
  '<img name="getElementById" src="/x.png" alt="clobbered name">',
  '<form name="attributes"><input name="parentNode"></form>',
  '[markdown](javascript:attacked())',
  '[markdown](<java\nscript:attacked()>)',
  '![picture](javascript:attacked())',
  '![picture](x"onerror="attacked())',
  '[reference][1]\n\n[1]: javascript:attacked()',
  '<javascript:attacked()>',
  '```html\n<script>attacked()</script>\n```',
  '<table background="javascript:attacked()"><tr><td>x</td></tr></table>',
  '<div><!-- --!><img src=x onerror=attacked()> --></div>',
];

/** An article with an attack in each of its texts. */
export const HOSTILE_ARTICLE: Article = {
  id: 'hostile',
  slug: 'hostile',
  title: 'Hostile <script>attacked()</script>',
  excerpt: '<img src=x onerror=attacked()>',
  description: 'x',
  author: 'x',
  publishedDate: '2026-01-01',
  readingTime: '1 min',
  tags: ['<b>tag</b>'],
  content: ATTACKS.join('\n\n'),
  pictures: [],
};

/** The allowlist of the sanitizer, and the tags that the page creates around code and tables. */
const ALLOWED_TAGS = new Set(
  'a b blockquote br code dd del details div dl dt em figure h1 h2 h3 h4 h5 h6 hr i img input ins kbd li ol p picture pre q rp rt ruby s samp section source span strike strong sub summary sup table tbody td tfoot th thead tr tt ul var'.split(
    ' ',
  ),
);

const ALLOWED_PROTOCOLS = ['http:', 'https:', 'irc:', 'ircs:', 'mailto:', 'xmpp:'];

export interface KeptElement {
  tag: string;
  attributes: Record<string, string>;
}

/** Returns forbidden tags and attributes that remain after sanitizing, as `<tag name="value">`. */
export function forbiddenParts(kept: readonly KeptElement[]): string[] {
  return kept.flatMap(({ tag, attributes }) => [
    ...(ALLOWED_TAGS.has(tag) ? [] : [`<${tag}>`]),
    ...Object.entries(attributes)
      .filter(([name, value]) => !isAllowed(name, value))
      .map(([name, value]) => `<${tag} ${name}="${value}">`),
  ]);
}

function isAllowed(name: string, value: string): boolean {
  if (/^on|^style$|^srcdoc$|^formaction$/.test(name)) return false;
  if (name === 'href' || name === 'src')
    return ALLOWED_PROTOCOLS.includes(new URL(value, 'http://relative.example').protocol);
  // Without the prefix it could shadow a property of the document (DOM clobbering).
  if (name === 'id' || name === 'name') return value.startsWith('user-content-');
  return true;
}
