export default function ResetPasswordPage({ token }: { token: string }) {
  return <h1>{token}</h1>
}
