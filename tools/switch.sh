#!/bin/sh
# Lets the service run another version, which lies in a folder of its own, and goes back by itself if that one does not open:
#   sh /opt/dwadi-0.4.0/tools/switch.sh                      to the version of that folder
#   sh /opt/dwadi-0.4.0/tools/switch.sh /opt/dwadi-0.3.0     back to the one before
# --no-backup leaves the backup out. Nothing is ever removed: the folder before is the way back.
set -eu
LINK=${DWADI_LINK:-/opt/dwadi}
BACKUPS=${DWADI_BACKUPS:-/var/lib/dwadi/backups}
SERVICE=dwadi
OPENS_WITHIN_S=${DWADI_OPENS_WITHIN_S:-180}

say() { echo "switch: $*" >&2; }
fail() { say "$*"; exit 1; }

own=$(cd "$(dirname "$0")/.." && pwd -P)
backup=yes
to=$own
for word in "$@"; do
  case $word in
    --no-backup) backup=no ;;
    -*) fail "unknown option $word" ;;
    *) to=$(cd "$word" 2>/dev/null && pwd -P) || fail "there is no folder $word" ;;
  esac
done

[ "$(id -u)" = 0 ] || fail 'run it as root'
[ "$to" != "$LINK" ] || fail "$to is where the link shall be: give the version a folder of its own, such as $LINK-0.4.0"
[ -f "$to/server/main.ts" ] || fail "$to is no version of the shop"
[ -d "$to/node_modules/pg" ] && [ -f "$to/dist/web/index.html" ] || fail "$to is not installed: cd $to && npm ci --omit=dev, or unpack one that was built elsewhere"
[ ! -e "$LINK" ] || [ "$(cd "$LINK" && pwd -P)" != "$to" ] || fail "the shop runs $to already"

version_of() { sed -n 's/^  "version": "\(.*\)",$/\1/p' "$1/package.json"; }
point() {
  ln -sfn "$1" "$LINK.next"
  mv -fT "$LINK.next" "$LINK"
}
# Ready by its own word, at the port that it listens on; a service that has just ended is none.
opens() {
  port=$(cd "$own" && node tools/run.js tools/find-port.ts)
  waited=0
  while [ "$waited" -lt "$OPENS_WITHIN_S" ]; do
    sleep 1
    waited=$((waited + 1))
    systemctl is-active --quiet "$SERVICE" || continue
    (cd "$own" && node tools/run.js -e "fetch('http://127.0.0.1:$port/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))") && return 0
  done
  return 1
}

if [ "$to" = "$own" ]; then (cd "$own" && node tools/run.js tools/check-settings.ts) || fail 'nothing was changed: this version would not start with these settings'; fi
if [ "$backup" = yes ]; then
  file=$BACKUPS/before-$(version_of "$to")-$(date +%F-%H%M%S).zst
  (cd "$own" && node tools/run.js tools/backup.ts "$file") || fail 'nothing was changed: no backup could be made. With --no-backup it goes without one'
fi

from=
if [ -L "$LINK" ]; then
  from=$(cd "$LINK" && pwd -P)
  point "$to"
  systemctl restart "$SERVICE" || true
else
  systemctl stop "$SERVICE" || true
  if [ -e "$LINK" ]; then
    # Installed before versions had folders of their own.
    from=$LINK-$(version_of "$LINK")
    [ ! -e "$from" ] || { systemctl start "$SERVICE"; fail "$from is there already: rename it first"; }
    mv -T "$LINK" "$from"
  fi
  point "$to"
  systemctl start "$SERVICE" || true
fi

if opens; then
  say "the shop runs $to."
  [ -z "$from" ] || say "The way back: sh $own/tools/switch.sh $from"
  exit 0
fi
say "$to did not open within $OPENS_WITHIN_S seconds. What it said: journalctl -u $SERVICE -n 50"
[ -n "$from" ] || exit 1
point "$from"
systemctl restart "$SERVICE" || true
if opens; then fail "the shop runs $from again, which sells with this database as before"; fi
fail "$from does not open either: journalctl -u $SERVICE -n 50"
