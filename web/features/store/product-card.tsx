import { SMALL_IMAGE_WIDTH, smallImage } from '../../../shared/images.ts'
import type { Product } from '../../../shared/products.ts'
import type { UserLevel } from '../../../shared/users.ts'
import { classNames } from '../../ui/class-names.ts'
import { Money } from '../../ui/money.tsx'
import { networkClass } from '../../ui/network-art.tsx'
import { priceFor } from '../products/price-for.ts'

type Props = { product: Product; level: UserLevel | undefined; eager: boolean; onChoose: (product: Product) => void }

export function ProductCard({ product, level, eager, onChoose }: Props) {
  const inStock = product.status === 'available'
  const prices = product.packages.map((line) => priceFor(line, level))
  return (
    <button
      type="button"
      disabled={!inStock}
      onClick={() => onChoose(product)}
      className={classNames(
        'group flex w-full flex-col overflow-hidden rounded-box border border-line bg-surface text-left transition-[border-color,box-shadow]',
        inStock ? 'hover:border-line-strong hover:[box-shadow:var(--lift)]' : 'cursor-not-allowed',
      )}
    >
      <span className={classNames('block h-1 w-full shrink-0 bg-net', networkClass(product.network), !inStock && 'opacity-40')} />
      <span className="block aspect-[8/5] w-full overflow-hidden bg-sunken">
        <img
          src={product.image}
          srcSet={`${smallImage(product.image)} ${SMALL_IMAGE_WIDTH}w, ${product.image} 640w`}
          sizes="(min-width: 64rem) 17rem, (min-width: 40rem) calc(33vw - 1.75rem), calc(50vw - 1.375rem)"
          alt=""
          width={640}
          height={400}
          loading={eager ? 'eager' : 'lazy'}
          decoding="async"
          className={classNames('size-full object-cover', !inStock && 'opacity-40 grayscale')}
        />
      </span>
      <span className="flex flex-1 flex-col gap-0.5 p-3 sm:p-4">
        <span className="text-large font-semibold">{product.network}</span>
        {inStock ? (
          prices.length > 0 && (
            <span className="text-small text-muted">
              from <Money cedis={Math.min(...prices)} className="text-body text-ink" />
            </span>
          )
        ) : (
          <span className="text-small font-semibold text-danger">(Out of stock)</span>
        )}
      </span>
    </button>
  )
}
