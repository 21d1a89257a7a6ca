import { openChromium } from './chromium.ts'
import type { Driver } from './driver.ts'
import { openFirefox } from './firefox.ts'
import { openWebKit } from './webkit.ts'

/** The browsers of `npm run test:browsers`, oldest first. The packages' versions and hashes are those of the registry. */
export const BROWSERS: Record<string, () => Promise<Driver>> = {
  'chromium-64': () =>
    openChromium({
      spec: 'chrome-aws-lambda@64.0.3264',
      integrity: 'sha512-3XpUhpg5Qlbq8V/Pk5gzfSqcq3wSlfT1N98yzDY8a+PrrROx9XUCntkg4W1ZmisqLsWhmRLZQrKtDjTRBttwig==',
      binary: 'bin/chromium.br',
      // From two months before the release, which has classes of Unicode in regular expressions.
      flags: ['--js-flags=--harmony-regexp-property'],
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
