import type { Product } from '../../../../shared/products.ts'
import { signInPath } from '../../../lib/sign-in-path.ts'
import { authTexts } from '../../../texts/auth.ts'
import { Dialog } from '../../../ui/dialog.tsx'

/** For a visitor who has chosen a product: signing in brings them back to it. */
export default function SignInDialog({ product, offer, onClose }: { product: Product; offer: string | null; onClose: () => void }) {
  const back = `/store?${new URLSearchParams({ buy: product._id, ...(offer && { offer }) })}`
  // The address may name the package by its `_id`.
  const line = product.packages.find((each) => each.offer === offer || each._id === offer)
  const name = line ? `${product.network} ${line.offer}` : product.network
  return (
    <Dialog
      title={authTexts.buy(name)}
      onClose={onClose}
      yes={{ href: signInPath('/login', back), children: authTexts.login }}
      no={{ href: signInPath('/register', back), children: authTexts.register }}
    >
      <p className="text-large">{authTexts.signInToBuy(name)}</p>
    </Dialog>
  )
}
