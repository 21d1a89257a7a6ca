import { Copy } from 'lucide-react'
import { useState } from 'react'
import { EXAMPLE_LANGUAGES, type ExampleLanguage, orderExamples } from '../../../../../shared/api-examples.ts'
import type { Product } from '../../../../../shared/products.ts'
import { copyText } from '../../../../lib/copy-text.ts'
import { developerTexts } from '../../../../texts/developer.ts'
import { classNames } from '../../../../ui/class-names.ts'
import { toast } from '../../../../ui/toast.ts'
import { useProducts } from '../../../catalogue/products/api.ts'

/** For a shop that sells nothing yet. */
const SAMPLE = { network: 'MTN', offer: '5GB', price: '23.00' }

/** Buying one bundle, in the language of the reader. */
export function CodeExample() {
  const [language, setLanguage] = useState<ExampleLanguage>('curl')
  const { data: products } = useProducts()
  const code = orderExamples({ origin: window.location.origin, receiver: '0245550142', ...sampleOf(products) })[language]
  const copy = async () => {
    if (await copyText(code)) toast.info(developerTexts.copied)
    else toast.danger(developerTexts.couldNotCopy)
  }
  return (
    <section aria-label={developerTexts.example} className="overflow-hidden rounded-box bg-[#10201a] text-[#e9efe6]">
      <div className="flex items-center justify-between border-b border-[#2c4539] pr-1 pl-1.5">
        <span className="flex min-w-0 overflow-x-auto [scrollbar-width:none]">
          {EXAMPLE_LANGUAGES.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={language === one}
              onClick={() => setLanguage(one)}
              className={classNames(
                'min-h-11 px-2.5 text-small font-semibold',
                language === one ? 'text-white shadow-[inset_0_-3px_#6fd6a2]' : 'text-[#b9cdbf]',
              )}
            >
              {one}
            </button>
          ))}
        </span>
        <button
          type="button"
          aria-label={developerTexts.copyExample}
          onClick={() => void copy()}
          className="inline-flex size-11 shrink-0 items-center justify-center text-white"
        >
          <Copy className="size-4.5" aria-hidden="true" />
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse must be able to move it sideways. */}
      <pre tabIndex={0} className="overflow-x-auto px-3.5 pt-3 pb-3.5 font-mono text-small leading-[1.55]">
        {code}
      </pre>
    </section>
  )
}

/** The first bundle that the API sells, at the agent's price: the example runs as it stands. */
function sampleOf(products: readonly Product[] = []) {
  for (const { network, status, packages } of products) {
    const line = status === 'available' && packages.find(({ soldOut }) => !soldOut)
    if (line) return { network, offer: line.offer, price: line.priceAgent.toFixed(2) }
  }
  return SAMPLE
}
