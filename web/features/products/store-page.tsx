export default function StorePage() {
  return <h1>StorePage</h1>
}
