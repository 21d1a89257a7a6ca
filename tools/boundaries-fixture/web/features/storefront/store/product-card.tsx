export default function ProductCard() {
  return null
}
