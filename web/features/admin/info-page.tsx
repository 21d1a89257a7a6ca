import { Page } from '../../ui/page.tsx'
import { PageHeader } from '../../ui/page-header.tsx'

export default function InfoPage() {
  return (
    <Page width="reading">
      <PageHeader title="Notice and payment details" />
    </Page>
  )
}
