import { Button } from '../../../ui/button.tsx'
export function StorePage(_: { order: unknown }) {
  return <Button />
}
