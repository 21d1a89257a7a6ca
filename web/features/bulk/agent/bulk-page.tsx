import { useLocation } from 'wouter'
import { BulkCheck } from './bulk-check.tsx'
import { BulkPaste } from './bulk-paste.tsx'
import { BulkSent } from './bulk-sent.tsx'

/** Bulk orders: the list, its check, and how it goes. */
export default function BulkPage() {
  const [path] = useLocation()
  if (path.startsWith('/agent/bulk/check')) return <BulkCheck />
  if (path.startsWith('/agent/bulk/sent')) return <BulkSent />
  return <BulkPaste />
}
