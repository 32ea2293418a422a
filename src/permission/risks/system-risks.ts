import { anyOf } from '../../text/any-of.js';
import { DOUBT } from '../shell/doubts.js';
import type { Line } from './flows.js';
import type { RiskKind } from './kinds.js';
import type { Part } from './part.js';

/** Risks of a command for the machine and its processes. */
export function systemRisks(part: Part, line: Line): readonly RiskKind[] {
  const rule = Object.hasOwn(BY_NAME, part.name) ? BY_NAME[part.name] : undefined;
  return [
    ...(rule?.(part) ?? []),
    ...(/^(?:mkfs|newfs)(?:[._]|$)/.test(part.name) ? ['overwritesDisk' as const] : []),
    ...(part.command.doubts.includes(DOUBT.network) ? ['opensShell' as const] : []),
    ...(line.isLeft(part.command) ? ['staysRunning' as const] : []),
  ];
}

type Rule = (part: Part) => readonly RiskKind[];

const always =
  (kind: RiskKind): Rule =>
  () => [kind];
const when =
  (kind: RiskKind, applies: (part: Part) => boolean): Rule =>
  (part) =>
    applies(part) ? [kind] : [];

/** Rule for the user that a command runs as, by its option; without one, the administrator. */
function privileged(option: RegExp): Rule {
  return ({ texts }) => {
    const user = texts.flatMap((text, index) => {
      const value = option.exec(text)?.[1];
      return value === undefined ? [] : [value === '' ? (texts[index + 1] ?? '') : value];
    })[0];
    return [user === undefined || user === 'root' || user === '#0' ? 'runsAsAdministrator' : 'runsAsOther'];
  };
}

/** `su name` runs as that user. */
const su: Rule = (part) => {
  const [user = 'root'] = part.operands(/^(?:-c|--command|-s|--shell|-g|-G|-u)$/);
  return [user === 'root' ? 'runsAsAdministrator' : 'runsAsOther'];
};

const isRecursive = (part: Part): boolean => part.has({ letters: 'R', long: ['recursive'] });

/** Every user may then write. */
const OPEN = /^(?:[0-7]{0,3}[2367]|[ug]*[ao][augo]*[+=][rxXst]*w\w*|\+[rxXst]*w\w*)$/;

const chmod: Rule = (part) => [
  ...(part.texts.some((text) => OPEN.test(text)) ? ['opensPermissions' as const] : []),
  ...(isRecursive(part) ? ['changesPermissions' as const] : []),
];

const kill: Rule = (part) => {
  const tests = part.texts.some((text) => /^-(?:0|l|L|s0)$/.test(text) || text === '--list');
  const ownJobs = part.texts.some((text) => text.startsWith('%')) && part.texts.every((text) => /^[-%]/.test(text));
  return tests || ownJobs ? [] : ['endsPrograms'];
};

/** Statements that remove what is in a database. */
const REMOVES = new RegExp(
  anyOf(
    /\b(?:drop\s+(?:table|database|schema|index|view|column|user|role|collection|keyspace)|truncate|delete\s+from)\b/,
    /dropDatabase|\.drop\(|deleteMany\(|\bflush(?:all|db)\b/,
  ),
  'i',
);
const database = when('deletesData', ({ texts }) => texts.some((text) => REMOVES.test(text)));

/** Risks of framework commands for the database of a project. */
const framework = when(
  'deletesData',
  ({ texts }) => /(?:^|\/)(?:artisan|manage\.py)$/.test(texts[0] ?? '') && /^(?:migrate:(?:fresh|reset|refresh)|db:wipe|flush|reset_db)$/.test(texts[1] ?? ''),
);

const compose: Rule = (part) => {
  const down = part.texts.includes('down') && part.texts.some((text) => /^(?:-v|--volumes)$/.test(text));
  return down ? ['deletesData'] : [];
};

/** A container that sees the whole machine has all power over it. */
const container: Rule = (part) => {
  const { texts } = part;
  const mounts = texts.some((text) => /^(?:-v=?|--volume=)?\/:|(?:^|,)(?:src|source)=\/(?:,|$)|\/docker\.sock(?::|$)/.test(text));
  const runs = texts.some((text) => /^(?:run|create|exec)$/.test(text)) && (mounts || texts.some((text) => /^--(?:privileged(?:=true)?|pid=host)$/.test(text)));
  return [...(runs ? ['runsAsAdministrator' as const] : []), ...(texts.includes('compose') ? compose(part) : [])];
};

const disk = always('overwritesDisk');
const off = always('stopsMachine');
const end = always('endsPrograms');
const sudo = privileged(/^(?:-u|--user=?)(.*)$/);

/** By program, each from its manual. */
const BY_NAME: Readonly<Record<string, Rule>> = {
  ...{ sudo, doas: sudo, pkexec: privileged(/^--user=?(.*)$/), su, runuser: privileged(/^(?:-u|--user=?)(.*)$/), gosu: su, 'su-exec': su },
  ...{
    wipefs: disk,
    sgdisk: disk,
    mkswap: disk,
    blkdiscard: disk,
    hdparm: when('overwritesDisk', ({ texts }) => texts.some((text) => text.startsWith('--security-erase') || text.startsWith('--trim'))),
  },
  ...{
    fdisk: when('overwritesDisk', ({ texts }) => !texts.includes('-l')),
    parted: when('overwritesDisk', ({ texts }) => !texts.some((text) => /^(?:-l|--list|print)$/.test(text))),
    diskutil: when('overwritesDisk', ({ texts }) => /^(?:erase|partition|reformat|zero|secureErase)/i.test(texts[0] ?? '')),
  },
  ...{
    shutdown: off,
    reboot: off,
    poweroff: off,
    halt: off,
    init: when('stopsMachine', ({ texts }) => /^[016]$/.test(texts[0] ?? '')),
    telinit: when('stopsMachine', ({ texts }) => /^[016]$/.test(texts[0] ?? '')),
  },
  crontab: when('changesSchedule', ({ texts }) => !texts.includes('-l')),
  ...{ at: when('changesSchedule', ({ texts }) => texts.length > 0 && !texts.includes('-l')), batch: always('changesSchedule') },
  ...{
    chmod,
    chown: when('changesPermissions', isRecursive),
    chgrp: when('changesPermissions', isRecursive),
    setfacl: when('changesPermissions', isRecursive),
  },
  ...{
    kill,
    pkill: end,
    killall: end,
    xkill: end,
    fuser: when('endsPrograms', (part) => part.has({ letters: 'k', valued: 'nN', long: ['kill'] })),
    'kill-port': end,
  },
  ...{
    psql: database,
    mysql: database,
    mariadb: database,
    sqlite3: database,
    sqlcmd: database,
    duckdb: database,
    'clickhouse-client': database,
    mongosh: database,
    mongo: database,
    'redis-cli': database,
    cqlsh: database,
    bq: database,
  },
  ...{ php: framework, python: framework, python3: framework },
  ...{ dropdb: always('deletesData'), mysqladmin: when('deletesData', ({ texts }) => texts.includes('drop')) },
  ...{ docker: container, podman: container, nerdctl: container, 'docker-compose': compose },
  service: when('changesServices', ({ texts }) => /^(?:start|stop|restart|reload)$/.test(texts[1] ?? '')),
  'ansible-playbook': when('changesInfrastructure', ({ texts }) => !texts.some((text) => /^(?:-C|--check|--syntax-check|--list-\w+)$/.test(text))),
};
