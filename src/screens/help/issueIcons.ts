import type { ComponentType } from 'react';
import type { Issue } from '../../contract/help.ts';
import { BagIcon } from '../../ui/icons/BagIcon.tsx';
import { CashIcon } from '../../ui/icons/CashIcon.tsx';
import { ClockIcon } from '../../ui/icons/ClockIcon.tsx';
import { FlameIcon } from '../../ui/icons/FlameIcon.tsx';
import { HeartIcon } from '../../ui/icons/HeartIcon.tsx';
import { PinIcon } from '../../ui/icons/PinIcon.tsx';
import { ReceiptIcon } from '../../ui/icons/ReceiptIcon.tsx';
import { ScooterIcon } from '../../ui/icons/ScooterIcon.tsx';
import { TransferIcon } from '../../ui/icons/TransferIcon.tsx';
import { WarningIcon } from '../../ui/icons/WarningIcon.tsx';

export const ISSUE_ICONS: Readonly<Record<Issue, ComponentType<{ readonly size?: number }>>> = {
  missing: BagIcon,
  wrong: TransferIcon,
  cold: FlameIcon,
  damaged: WarningIcon,
  taste: HeartIcon,
  late: ClockIcon,
  notDelivered: PinIcon,
  rider: ScooterIcon,
  bill: ReceiptIcon,
  payment: CashIcon,
};
