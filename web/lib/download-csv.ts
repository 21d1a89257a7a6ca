import { callFile } from './api.ts'

export type CsvFile =
  | 'admin-stats'
  | 'admin-insight'
  | 'admin-orders'
  | 'admin-finance'
  | 'admin-products'
  | 'day-close'
  | 'admin-activity'
  | 'statement'
  | 'customer-statement'
  | 'withdrawals'
  | 'admin-withdrawals'

/**
 * Fetches an export with the token, which a plain link cannot carry, and saves it under the server's name for it. It is narrowed
 * by the list's filters, on all its pages.
 */
export async function downloadCsv(file: CsvFile, filters: Record<string, string>): Promise<string> {
  const { blob, disposition } = await callFile(`GET /export/${file}`, { query: filters })
  const name = nameInDisposition(disposition) ?? `${file}.csv`
  saveAs(blob, name)
  return name
}

/** The file name in a Content-Disposition header, without any folder in it; null when there is none. */
export function nameInDisposition(header: string | null): string | null {
  const encoded = /filename\*\s*=\s*utf-8''([^;]+)/i.exec(header ?? '')?.[1]
  const plain = /filename\s*=\s*(?:"([^"]*)"|([^;]+))/i.exec(header ?? '')
  const name = (encoded ? decode(encoded) : null) ?? plain?.[1] ?? plain?.[2]
  const bare = name?.split(/[/\\]/).at(-1)?.trim()
  return bare ? bare : null
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.trim())
  } catch {
    return null
  }
}

/** Saves a file that was made in the browser. */
export function saveAs(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
