import { Button } from '../../ui/button.tsx'
export const StorePage = (_: { order: unknown }) => <Button />
