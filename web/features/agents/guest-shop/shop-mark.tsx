import type { PublicShop } from '../../../../shared/agent-shops.ts'

/** A shop's logo, or the first letters of its name. */
export function ShopMark({ shop: { name, logo } }: { shop: Pick<PublicShop, 'name' | 'logo'> }) {
  if (logo) return <img src={logo} alt="" className="size-12 shrink-0 rounded-box object-cover" />
  return (
    <span aria-hidden="true" className="grid size-12 shrink-0 place-items-center rounded-box bg-white/9 text-large font-bold">
      {initialsOf(name)}
    </span>
  )
}

export function initialsOf(name: string): string {
  const [first = '', second] = name.trim().split(/\s+/)
  return (second ? (first[0] ?? '') + (second[0] ?? '') : first.slice(0, 2)).toUpperCase()
}
