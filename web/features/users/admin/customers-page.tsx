import { UsersTable } from './users-table.tsx'

/** Everybody with an account, found by name, number or e-mail. */
export default function CustomersPage() {
  return <UsersTable />
}
