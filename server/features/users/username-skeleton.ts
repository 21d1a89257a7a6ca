/** What looks alike in most typefaces, folded to one letter each; separators fall away. */
const LOOK_ALIKES: [RegExp, string][] = [
  [/[._' -]/g, ''],
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/[1il|]/g, 'l'],
  [/0/g, 'o'],
]

/** The form under which a username is unique: "kofi.mensah", "k0fi mensah" and "kofimensah" are one name. */
export function usernameSkeleton(username: string): string {
  return LOOK_ALIKES.reduce((name, [pattern, letter]) => name.replace(pattern, letter), username)
}
