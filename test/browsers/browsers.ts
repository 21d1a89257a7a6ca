import { openChromium } from './chromium.ts'
import type { Driver } from './driver.ts'
import { openFirefox } from './firefox.ts'
import { openWebKit } from './webkit.ts'

/** The browsers of `npm run test:browsers`, oldest first. The packages' versions and hashes are those of the registry. */
export const BROWSERS: Record<string, () => Promise<Driver>> = {
  // Chromium 64 is to be had from two months before its release alone, without classes of Unicode in regular expressions.
  'chromium-65': () =>
    openChromium({
      spec: 'chrome-aws-lambda@65.0.3312',
      integrity: 'sha512-BnrNqp7702n/jlBOPZz09p4xGflQeaiZuOgKvir/5Ui5jTa2qvHgZlRKWx+zB9UFsaA89iN4wAFm1qUocQvAtA==',
      binary: 'bin/chromium.br',
    }),
  'chromium-72': () =>
    openChromium({
      spec: 'chrome-aws-lambda@1.11.2',
      integrity: 'sha512-BpR7qYNkPZlMQGZI3/edrPT4Rx9Hd/Z+YV3dQ5ujfWj01r27pYYOoOmMd2w3mkmFeHF7nzFlksM/urKnfICwDQ==',
      binary: 'bin/chromium-72.0.3617.0.br',
    }),
  'chromium-92': () =>
    openChromium({
      spec: '@sparticuz/chromium@92.0.0',
      integrity: 'sha512-xCFop83v5gXKQTDGNfzj84F4f9QZkY9eShTu1pbWYOPB6wJNw9YgoX56zeVeRD7VL9AVwiS9VS9tgShnc5uR2g==',
      binary: 'bin/chromium.br',
      libraries: 'bin/aws.tar.br',
    }),
  'chromium-106': () =>
    openChromium({
      spec: '@sparticuz/chromium@106.0.2',
      integrity: 'sha512-YDbwmfyzLi2WqVjAONPjxlCxAfLPjx4TE7KdDNOyITDGx6KAktgpZ9qab77ZRU/6mmCwSdg+QO+OGQTXOEY/RA==',
      binary: 'bin/chromium.br',
      libraries: 'bin/aws.tar.br',
    }),
  firefox: openFirefox,
  webkit: openWebKit,
}
