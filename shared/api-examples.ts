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
