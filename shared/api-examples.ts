export const EXAMPLE_LANGUAGES = ['curl', 'TypeScript', 'PHP', 'Python'] as const
export type ExampleLanguage = (typeof EXAMPLE_LANGUAGES)[number]

type Facts = { origin: string; network: string; offer: string; receiver: string; price: string }

/** Buying one bundle with the developer API. Each runs as it is, with the key in the environment variable DWADI_KEY. */
export function orderExamples({ origin, network, offer, receiver, price }: Facts): Record<ExampleLanguage, string> {
  const body = JSON.stringify({ network, offer, receiver, expected_price: price })
  return {
    curl: `curl -sS "${origin}/v1/orders" \\
  -H "Authorization: Bearer $DWADI_KEY" \\
  -H "Idempotency-Key: shop-7f3a-0001" \\
  -H "Content-Type: application/json" \\
  -d '${body}'`,
    TypeScript: `const reply = await fetch('${origin}/v1/orders', {
  method: 'POST',
  headers: {
    'Authorization': \`Bearer \${process.env.DWADI_KEY}\`,
    'Idempotency-Key': 'shop-7f3a-0001',
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({
    network: '${network}',
    offer: '${offer}',
    receiver: '${receiver}',
    expected_price: '${price}',
  }),
})
console.log(JSON.stringify(await reply.json()))`,
    PHP: `<?php
$call = curl_init('${origin}/v1/orders');
curl_setopt_array($call, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => [
        'Authorization: Bearer ' . getenv('DWADI_KEY'),
        'Idempotency-Key: shop-7f3a-0001',
        'Content-Type: application/json',
    ],
    CURLOPT_POSTFIELDS => json_encode([
        'network' => '${network}',
        'offer' => '${offer}',
        'receiver' => '${receiver}',
        'expected_price' => '${price}',
    ]),
]);
echo curl_exec($call);`,
    Python: `import json, os, urllib.request

request = urllib.request.Request(
    '${origin}/v1/orders',
    data=json.dumps({
        'network': '${network}',
        'offer': '${offer}',
        'receiver': '${receiver}',
        'expected_price': '${price}',
    }).encode(),
    headers={
        'Authorization': 'Bearer ' + os.environ['DWADI_KEY'],
        'Idempotency-Key': 'shop-7f3a-0001',
        'Content-Type': 'application/json',
    },
)
with urllib.request.urlopen(request) as reply:
    print(reply.read().decode())`,
  }
}

/** Buying a list of bundles with the developer API, which runs as `orderExamples` do. */
export function listExample({ origin, network, offer, receiver, price }: Facts): string {
  const line = (to: string) => JSON.stringify({ network, offer, receiver: to, expected_price: price })
  return `curl -sS "${origin}/v1/lists" \\
  -H "Authorization: Bearer $DWADI_KEY" \\
  -H "Idempotency-Key: staff-2026-12" \\
  -H "Content-Type: application/json" \\
  -d '{"name":"Staff, December","orders":[
    ${line(receiver)},
    ${line('0244123456')}
  ]}'`
}

/** Checking that a webhook came from the shop. Each is a function of the raw body, the headers (names in any case) and the secret. */
export const WEBHOOK_EXAMPLES: Record<Exclude<ExampleLanguage, 'curl'>, string> = {
  TypeScript: `import { createHmac, timingSafeEqual } from 'node:crypto'

export function isFromDwadi(body: string, given: Record<string, string>, secret: string): boolean {
  const headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]))
  const id = headers['webhook-id']
  const at = headers['webhook-timestamp']
  if (!id || !at || Math.abs(Date.now() / 1000 - Number(at)) > 300) return false
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const digest = createHmac('sha256', key).update(\`\${id}.\${at}.\${body}\`).digest('base64')
  const expected = Buffer.from(\`v1,\${digest}\`)
  return (headers['webhook-signature'] ?? '')
    .split(' ')
    .map((one) => Buffer.from(one))
    .some((one) => one.length === expected.length && timingSafeEqual(one, expected))
}`,
  PHP: `<?php
function is_from_dwadi(string $body, array $headers, string $secret): bool
{
    $headers = array_change_key_case($headers) + ['webhook-id' => '', 'webhook-timestamp' => '', 'webhook-signature' => ''];
    if (abs(time() - (int) $headers['webhook-timestamp']) > 300) {
        return false;
    }
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $signed = $headers['webhook-id'] . '.' . $headers['webhook-timestamp'] . '.' . $body;
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
    foreach (explode(' ', $headers['webhook-signature']) as $one) {
        if (hash_equals($expected, $one)) {
            return true;
        }
    }
    return false;
}`,
  Python: `import base64, hashlib, hmac, time

def is_from_dwadi(body: str, headers: dict, secret: str) -> bool:
    headers = {name.lower(): value for name, value in headers.items()}
    if abs(time.time() - int(headers.get('webhook-timestamp', 0))) > 300:
        return False
    key = base64.b64decode(secret.removeprefix('whsec_'))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.{body}"
    digest = hmac.new(key, signed.encode(), hashlib.sha256).digest()
    expected = 'v1,' + base64.b64encode(digest).decode()
    return any(hmac.compare_digest(expected, one) for one in headers['webhook-signature'].split(' '))`,
}
