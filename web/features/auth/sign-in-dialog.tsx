import type { Product } from '../../../shared/products.ts'
import { signInPath } from '../../lib/sign-in-path.ts'
import { authTexts } from '../../texts/auth.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

/** For a visitor who has chosen a product: signing in brings them back to it. */
export default function SignInDialog({ product, offer, onClose }: { product: Product; offer: string | null; onClose: () => void }) {
  const back = `/store?${new URLSearchParams({ buy: product._id, ...(offer && { offer }) })}`
  const name = offer ? `${product.network} ${offer}` : product.network
  return (
    <Dialog
      title={authTexts.buy(name)}
      onClose={onClose}
      footer={
        <>
          <ButtonLink block href={signInPath('/login', back)}>
            {authTexts.login}
          </ButtonLink>
          <ButtonLink block variant="secondary" href={signInPath('/register', back)}>
            {authTexts.register}
          </ButtonLink>
        </>
      }
    >
      <p className="text-large">{authTexts.signInToBuy(name)}</p>
    </Dialog>
  )
}
