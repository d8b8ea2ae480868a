import { ActionIcon, Menu } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { IconDots } from '@tabler/icons-react';
import { confirm } from '../../components/confirm.tsx';
import { MenuLink } from '../../components/menu-link.tsx';
import { useHandover } from './use-handover.tsx';

type Operator = Schema<'Operator'>;

export type OperatorChange = {
  readonly id: string;
  readonly disabled?: boolean;
  readonly isAdmin?: boolean;
};

type OperatorMenuProps = {
  readonly operator: Operator;
  readonly onChange: (change: OperatorChange) => void;
};

/** What an administrator can do with the account of somebody else. */
export const OperatorMenu = ({ operator, onChange }: OperatorMenuProps) => {
  const { id, name, email, isAdmin, disabled } = operator;
  const startHandover = useHandover(operator);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${name}`}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <MenuLink to="/sign-ins" search={{ email }}>
          Sign-in history
        </MenuLink>
        <MenuLink to="/instance/activity" search={{ operatorId: id }}>
          Changes of the account
        </MenuLink>
        <Menu.Item onClick={startHandover}>Start handover…</Menu.Item>
        {disabled ? (
          <Menu.Item onClick={() => onChange({ id, disabled: false })}>Enable</Menu.Item>
        ) : (
          <Menu.Item color="red" onClick={() => confirmDisabling(operator, onChange)}>
            Disable…
          </Menu.Item>
        )}
        {isAdmin ? (
          <Menu.Item onClick={() => onChange({ id, isAdmin: false })}>
            Remove administrator
          </Menu.Item>
        ) : (
          <Menu.Item onClick={() => confirmPromotion(operator, onChange)}>
            Make administrator…
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
};

const confirmDisabling = ({ id, name }: Operator, onChange: OperatorMenuProps['onChange']): void =>
  confirm({
    title: `Disable ${name}?`,
    text: 'All their sessions end immediately. They cannot sign in until they are enabled again.',
    confirm: 'Disable operator',
    onConfirm: () => onChange({ id, disabled: true }),
  });

const confirmPromotion = ({ id, name }: Operator, onChange: OperatorMenuProps['onChange']): void =>
  confirm({
    title: `Make ${name} an administrator?`,
    text: 'Administrators can create companies and manage operators.',
    confirm: 'Make administrator',
    isDangerous: false,
    onConfirm: () => onChange({ id, isAdmin: true }),
  });
