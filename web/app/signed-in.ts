/** What runs while somebody is signed in; returns how to stop it. */
export function startSignedIn(): () => void {
  return () => {}
}
