import { Link } from 'wouter'
import { useShop } from '../features/shop/api.ts'

export function Footer() {
  const shop = useShop()
  return (
    <footer className="no-print mt-auto border-t border-line pb-[calc(5rem+env(safe-area-inset-bottom))] md:pb-0">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-x-6 gap-y-1 px-4 py-6 text-small text-muted sm:px-6">
        <p>
          © {shop.copyrightYear} {shop.name}. All rights reserved.
        </p>
        <Link href="/track" className="inline-flex min-h-11 items-center text-brand-text underline underline-offset-4">
          Where is my order?
        </Link>
        {shop.developerCredit && <p>{shop.developerCredit}</p>}
      </div>
    </footer>
  )
}
