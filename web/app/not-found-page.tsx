import { MapPinOff } from 'lucide-react'
import { ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { PageHeader } from '../ui/page-header.tsx'

export default function NotFoundPage() {
  return (
    <Page width="reading">
      <PageHeader title="Page not found" />
      <EmptyState
        icon={<MapPinOff />}
        title="There is no page at this address"
        action={<ButtonLink href="/store">Go to the store</ButtonLink>}
      >
        The link may be old, or a letter may be missing.
      </EmptyState>
    </Page>
  )
}
