import { createHash } from 'node:crypto'
import { EXAMPLE_LANGUAGES, listExample, orderExamples, WEBHOOK_EXAMPLES } from '../../../../shared/api-examples.ts'
import { MAX_BULK_LINES } from '../../../../shared/bulk-rules.ts'
import { MAX_API_LINES, MAX_LIST_PAGE, TEST_BALANCE, TEST_OUTCOMES, V1, type V1Route } from '../../../../shared/developer-api.ts'
import { MOST_UNPROVEN_CALLS } from '../../../../shared/webhook-rules.ts'

type Facts = Parameters<typeof orderExamples>[0] & { shopName: string; afa: { offer: string; price: string } | null }

const STYLE = `:root{color-scheme:light dark}body{font:17px/1.55 system-ui,Roboto,sans-serif;max-width:46rem;margin:0 auto;padding:1.5rem 1rem 5rem}
h1{font-size:1.8rem;line-height:1.2}h2{margin-top:2.4rem}pre{background:#10201a;color:#e9efe6;border-radius:10px;padding:.9rem 1rem;overflow-x:auto}
code,pre{font:14px/1.55 ui-monospace,'Roboto Mono',monospace}table{border-collapse:collapse;width:100%;display:block;overflow-x:auto}
th,td{text-align:left;vertical-align:top;padding:.4rem .9rem .4rem 0;border-bottom:1px solid #8885}a{color:inherit}`

/** What the page may load: its own style, and nothing else. */
export const GUIDE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** The guide to the developer API as a page, with examples for this shop's address and one of its offers. */
export function composeGuide({ shopName, afa, ...facts }: Facts): string {
  const { offer, price } = afa ?? { offer: 'AFA registration', price: '20.00' }
  const orders = orderExamples(facts)
  const name = escapeHtml(shopName)
  return `<!doctype html>
<html lang="en-GH"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>API guide · ${name}</title><style>${STYLE}</style></head><body>
<h1>${name} for your own programs</h1>
<p>Your website, till or bot buys bundles from your wallet, at your prices. Make a key under My Dashboard, <a href="/agent/api">API</a>. The whole API as a file for
generators of clients: <a href="/v1/openapi.json">OpenAPI 3.1</a>.</p>

<h2>Keys</h2>
<p>Send the key in the header <code>Authorization: Bearer …</code>, never in the address. It is shown once, so keep it where your server keeps its passwords, and
never in an app or a web page. A key does only what you ticked, from the addresses that you listed. Rotating it gives you a new one, and the old one works for 24 more hours.</p>
<p>Start with a test key, <code>dw_test_…</code>. It never moves money. It has a balance and a statement of
its own, which begin with GHS ${TEST_BALANCE}; when that would not do for a purchase, another ${TEST_BALANCE} is added. The last four digits of the receiver decide what happens:</p>
${table(['receiver', 'what happens'], [...Object.entries(TEST_OUTCOMES).map(([ends, what]) => [`…${ends}`, what]), ['any other', 'delivered after a few seconds']])}

<h2>Buy a bundle</h2>
${EXAMPLE_LANGUAGES.map((language) => `<h3>${language}</h3>${code(orders[language])}`).join('\n')}
<p>The reply is the order, <code>pending</code> at first. Later it is <code>completed</code>, once the data has arrived, or <code>rejected</code>, once the money is back in
your wallet. Amounts are cedis as text with two decimals. <code>expected_price</code> is what you saw in the catalogue: when the price has changed since, nothing is charged.</p>
<p>MTN checks a number that never had such data before it delivers. Such an order stays <code>pending</code> with <code>"verifying": true</code> for one to six days, and ends by
itself: don't buy it again meanwhile.</p>

<h2>Buy many at once</h2>
<p>Up to ${MAX_API_LINES} bundles: <code>POST /v1/orders/bulk</code>, whose reply has all the orders. Up to ${MAX_BULK_LINES}: <code>POST /v1/lists</code>. All of a list are bought, or none.</p>
${code(listExample(facts))}
<p>The reply says the list's <code>id</code>, its <code>total</code>, and how many orders are <code>pending</code>, <code>completed</code> and <code>rejected</code>;
<code>GET /v1/lists/{id}</code> says it again later. <code>GET /v1/lists/{id}/orders</code> has the orders with their <code>line</code>, up to ${MAX_LIST_PAGE} on a page: the first order
that you sent is line 1. Add <code>status=rejected</code> for those that were refunded. When a list is refused, <code>issues</code> names the orders at fault, up to 100 of them, counted
from 0: <code>orders.41.expected_price</code> is line 42. Mend them, or leave them out, and send the list with a new key.</p>

<h2>Never charged twice</h2>
<p>Give each purchase a name of its own in <code>Idempotency-Key</code>, such as your own order number: 1 to 140 letters, digits, or <code>._:-</code>. If the line breaks before you have the reply, send the same again with the
same key, for up to a week: you get the same reply, and nothing is charged twice. (A list shows how it stands by then.) The header <code>Idempotency-Replayed: true</code> says that it
is not a new purchase. The same key with another request is refused with 409.</p>
<p>Your customer may press twice, or ask again after a minute. With the header <code>If-On-The-Way: ask</code> an order is refused with 409 and <code>ON_THE_WAY</code> while the same
bundle is pending for the same number; <code>title</code> names the earlier order by its <code>id</code>. Ask your customer, and if they want another one, send it again with the same key and without the header.</p>

<h2>Register for AFA</h2>
<p>An order of AFA names the person whom it registers, with the receiver’s number. Ask the person first: <code>consent</code> says that they agreed.</p>
<pre><code>{
  "network": "AFA", "offer": "${escapeHtml(offer)}", "receiver": "${facts.receiver}", "expected_price": "${price}",
  "afa": {
    "full_name": "Ama Serwaa Mensah", "ghana_card": "GHA-123456789-0", "birth_date": "1990-05-17",
    "region": "Ashanti", "town": "Kumasi", "occupation": "Trader", "consent": true
  }
}</code></pre>
<p>Without these details the order is refused with 400, and with 409 while the same card is being registered, or is. We keep them encrypted, send them to the registrar and erase them
some days after the order has ended; no reply ever repeats them. Lists of up to ${MAX_BULK_LINES} take no AFA.</p>

<h2>What there is</h2>
${table(
  ['request', 'what it does', 'scope'],
  (Object.keys(V1) as V1Route[]).map((route) => [route.replace(' ', ' /v1'), V1[route].summary, V1[route].scope]),
)}
<p>Lists come in pages: send <code>cursor</code> with the <code>next_cursor</code> of the page before, until that is null. <code>limit</code> is how many you want
on a page: up to 100, of the orders of a list up to ${MAX_LIST_PAGE}.</p>

<h2>When something is wrong</h2>
<p>Errors are <code>application/problem+json</code>: <code>title</code> is a sentence, <code>code</code> is for your program and never changes, <code>issues</code> names fields.
A field that we do not know is refused as well, so that a misspelt one is not overlooked.</p>
${table(
  ['status', 'code', 'what to do'],
  [
    ['400', 'INVALID', 'Mend the request; issues says where.'],
    ['401', 'UNAUTHENTICATED', 'The key is unknown, has expired or was revoked, or your account is closed.'],
    ['402', 'INSUFFICIENT_BALANCE', 'Top up, then send it with a new key.'],
    ['403', 'FORBIDDEN', 'The key lacks the scope, or your address is not on its list.'],
    ['404', 'NOT_FOUND', 'You have no such order or list, or there is nothing at this address.'],
    ['405', 'METHOD_NOT_ALLOWED', 'The address is right and the method is not; the header Allow names those that are.'],
    ['409', 'PRICE_CHANGED', 'Read the catalogue again.'],
    ['409', 'NOT_AVAILABLE', 'This offer is not sold at the moment.'],
    [
      '409',
      'ON_THE_WAY',
      'Only with If-On-The-Way: the same bundle for the same number is pending, or is in this request twice. Send it without that header to buy it all the same.',
    ],
    ['409', 'KEY_REUSED', 'Another request had this Idempotency-Key.'],
    ['413', 'TOO_LARGE', `Send at most ${MAX_BULK_LINES} orders in a list.`],
    ['415', 'UNSUPPORTED_MEDIA_TYPE', 'Send JSON, with Content-Type: application/json.'],
    ['429', 'TOO_MANY_REQUESTS', 'Wait as many seconds as Retry-After says.'],
    ['503', 'PURCHASES_PAUSED', 'Nothing was charged. Try again later with the same Idempotency-Key.'],
  ],
)}
<p>A key has 120 requests at once and two more each second; lists have a count of their own, 10 at once and one more every six seconds. <code>RateLimit-Remaining</code> says how many are left, <code>RateLimit-Reset</code> in how many seconds all are there again.</p>
<p>Every reply has a <code>Request-Id</code>. Tell us it when you ask about a call.</p>

<h2>Webhooks</h2>
<p>Rather than asking again and again, let us tell you: add an address under API. We send <code>order.delivered</code>, <code>order.refused</code> and <code>order.refunded</code> as
<code>{"type", "timestamp", "data"}</code>, where data is the order, and <code>test</code> says whether a test key made it. <em>Send a test</em> under API
sends <code>endpoint.test</code> with no data. Answer with a 2xx status within ten seconds. Otherwise we try nine more times over three days, and you can
resend it yourself. Answer first and work afterwards: an address that fails or takes longer than two seconds is told after the others, until it answers at once again. An address that takes nothing for five days is switched off, and we mail you; so is one that answers 410, and one that has
never answered after ${MOST_UNPROVEN_CALLS} calls. Save it again under API once it answers: we then send what it missed. The same event may come twice, under the same <code>webhook-id</code>.</p>
<p>Check the signature (<a href="https://www.standardwebhooks.com">Standard Webhooks</a>) before you believe anything, over the body as it came:</p>
${Object.entries(WEBHOOK_EXAMPLES)
  .map(([language, text]) => `<h3>${language}</h3>${code(text)}`)
  .join('\n')}
</body></html>`
}

function table(heads: string[], rows: string[][]): string {
  const cells = (tag: 'th' | 'td', row: string[]) => row.map((text) => `<${tag}>${escapeHtml(text)}</${tag}>`).join('')
  return `<table><thead><tr>${cells('th', heads)}</tr></thead><tbody>${rows.map((row) => `<tr>${cells('td', row)}</tr>`).join('')}</tbody></table>`
}

function code(text: string): string {
  return `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)
}
