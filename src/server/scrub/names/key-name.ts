/** Keys of these, and keys for these, are secret as soon as they are a word. */
const secretWords = new Set(
  (
    'adyen airtable algolia anthropic azure cloudflare cohere datadog deepl gemini github gitlab groq honeycomb hubspot huggingface ' +
    'klaviyo mailchimp mailgun mailjet mapbox mistral mollie newrelic openai openrouter pagerduty paypal plaid postmark ' +
    'razorpay replicate resend rollbar sendgrid shopify slack snyk sparkpost square stripe supabase telegram twilio vercel xai ' +
    'zendesk ' +
    'aes cipher crypto cryptographic decrypt decryption dsa ecdsa enc encrypt gpg hmac kek master pgp private rsa signing ssh ' +
    'symmetric tls unseal wallet wireguard wrapping'
  ).split(' '),
)

/** Keys of these may be names as well: the value decides. */
const ambiguousWords = new Set(
  'admin consumer deploy google host recovery root seal server service session shared webhook'.split(' '),
)

/**
 * What names with "key" in them say: `named` keys are secret, `perhaps` ones where their value looks like it.
 */
export type KeyKind = 'named' | 'perhaps' | 'none'

/** In capitals: environment variables whose key is not secret. */
const publicVariables =
  /(?:^|_)(?:PUBLIC|PUB|PRIMARY|FOREIGN|SORT|PARTITION|CACHE|IDEMPOTENCY|ROW|HASH|LOOKUP|UNIQUE|SEARCH|FILTER|GROUP|INDEX|OBJECT|ROUTING|SHARD|TRANSLATION|MESSAGE|EVENT|ISSUE|PROJECT|CONFIG|REGISTRY)_KEY$/

/**
 * Reads a name that ends with "key": `STRIPE_KEY`, `masterKey`, `ssh_key`. Names in capitals are variables of
 * an environment, in which a key is mostly a secret. Elsewhere only the words above count: `sortKey`,
 * `cacheKey` and `primary_key` are none.
 */
export function readKeyName(words: readonly string[], name: string): KeyKind {
  const last = words.at(-1) ?? ''
  if (!last.endsWith('key')) return 'none'
  const word = last === 'key' ? (words.at(-2) ?? '') : last.slice(0, -3)
  if (secretWords.has(word)) return 'named'
  if (ambiguousWords.has(word)) return 'perhaps'
  const isVariable = /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)*_KEY$/.test(name) && !publicVariables.test(name)
  return isVariable ? 'perhaps' : 'none'
}
