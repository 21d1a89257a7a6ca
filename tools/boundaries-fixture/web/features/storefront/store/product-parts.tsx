// breaks: feature-file-name
export function ProductName() {
  return null
}
