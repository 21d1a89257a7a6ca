import { Link } from 'wouter'
import { useShop } from '../features/shop/shop/api.ts'
import { appTexts } from '../texts/app.ts'
import { ThemeButton } from './nav-link.tsx'

export function Footer() {
  const shop = useShop()
  return (
    <footer className="no-print mt-auto pb-[calc(4.75rem+env(safe-area-inset-bottom))] md:pb-0">
      <div className="mx-auto max-w-7xl px-4 sm:px-6">
        <div className="flex flex-wrap items-center justify-between gap-x-6 border-t border-line py-3 text-small text-muted">
          <p>{appTexts.copyright(shop.copyrightYear, shop.name)}</p>
          <Link href="/track" className="inline-flex min-h-11 items-center text-brand-text underline underline-offset-4">
            {appTexts.track}
          </Link>
          <ThemeButton className="inline-flex min-h-11 items-center gap-2 hover:text-ink" />
          {shop.developerCredit && <p>{shop.developerCredit}</p>}
        </div>
      </div>
    </footer>
  )
}
