// breaks: one-wing
export function StrayShelf() {
  return null
}
