import { icon } from './Icon.tsx';

// The build takes this file apart (build/rewrite/declarations.ts): an icon lies only with the screens that show it.
export const BackIcon = icon('M15 5l-7 7 7 7');
export const BagIcon = icon(
  'M5.2 8h13.6l1 11.2a1.6 1.6 0 0 1-1.6 1.8H5.8a1.6 1.6 0 0 1-1.6-1.8zM8.5 10.5V7a3.5 3.5 0 0 1 7 0v3.5',
);
export const BankIcon = icon('M3.5 9.5L12 4l8.5 5.5zM6 12.5v5M10 12.5v5M14 12.5v5M18 12.5v5M3.5 20h17');
export const CarIcon = icon(
  'M4 17.5v-4.7l2.2-5.6A2 2 0 0 1 8 6h8a2 2 0 0 1 1.8 1.2l2.2 5.6v4.7zM4.5 12.5h15M5.5 17.5v2M18.5 17.5v2M7.5 15h1M15.5 15h1',
);
export const CardIcon = icon(
  'M4.5 5.5h15A1.5 1.5 0 0 1 21 7v10a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 17V7a1.5 1.5 0 0 1 1.5-1.5zM3 10h18M6.5 14.5h4',
);
export const CashIcon = icon('M3 6.5h18v11H3zM12 9.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM6 12h0M18 12h0');
export const ChatIcon = icon('M4 5.5h16v11h-9L6.5 20v-3.5H4zM8 9.5h8M8 12.5h5');
export const CheckIcon = icon('M4.5 12.5l5 5 10-11');
export const ChevronIcon = icon('M9 5l7 7-7 7');
export const ClockIcon = icon('M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5.2l3.4 2');
export const CloseIcon = icon('M6 6l12 12M18 6L6 18');
export const DeviceIcon = icon(
  'M8 3h8a1.5 1.5 0 0 1 1.5 1.5v15A1.5 1.5 0 0 1 16 21H8a1.5 1.5 0 0 1-1.5-1.5v-15A1.5 1.5 0 0 1 8 3zM11 18h2',
);
export const DocumentIcon = icon('M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6');
export const FlameIcon = icon(
  'M12 21.5c-3.9 0-6.5-2.6-6.5-6.2 0-3 2-4.6 2.9-6.9.9 1 1.4 1.7 1.6 3 1.8-2.1 2.8-5 2.2-8.4 3.9 2.3 6.3 6.6 6.3 11.2 0 4.4-2.6 7.3-6.5 7.3z',
);
export const HeartIcon = icon('M12 20s-8-4.9-8-10.6A4.4 4.4 0 0 1 12 7a4.4 4.4 0 0 1 8 2.4C20 15.1 12 20 12 20z');
export const HelpIcon = icon(
  'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.7.4-1.1.9-1.1 1.8M12 16.8v.1',
);
export const HomeIcon = icon('M4 11l8-7 8 7v8.5a1 1 0 0 1-1 1h-4.5v-6h-5v6H5a1 1 0 0 1-1-1z');
export const LocateIcon = icon(
  'M12 2.5v3.2M12 18.3v3.2M2.5 12h3.2M18.3 12h3.2M12 5.7a6.3 6.3 0 1 0 0 12.6 6.3 6.3 0 0 0 0-12.6zM12 9.8a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4z',
);
export const LockIcon = icon('M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3M12 14.5v2');
export const MenuIcon = icon('M4 7h16M4 12h16M4 17h10');
export const MicIcon = icon(
  'M12 3a3 3 0 0 0-3 3v5a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3zM5.5 11a6.5 6.5 0 0 0 13 0M12 17.5V21',
);
export const MinusIcon = icon('M5 12h14');
export const OfferIcon = icon(
  'M3.5 9V6.5a1.5 1.5 0 0 1 1.5-1.5h14a1.5 1.5 0 0 1 1.5 1.5V9a3 3 0 0 0 0 6v2.5a1.5 1.5 0 0 1-1.5 1.5H5a1.5 1.5 0 0 1-1.5-1.5V15a3 3 0 0 0 0-6zM9.5 14.5l5-5M9.6 9.6h0M14.4 14.4h0',
);
export const OfficeIcon = icon(
  'M4 8.5h16a1 1 0 0 1 1 1V18a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V9.5a1 1 0 0 1 1-1zM9 8.5V6.2a1.2 1.2 0 0 1 1.2-1.2h3.600A1.2 1.2 0 0 1 15 6.2v2.300M3 13.2h18M12 12.2v2',
);
export const PhoneIcon = icon(
  'M6 3.5h3l1.6 4.4-2.2 1.7a12 12 0 0 0 6 6l1.7-2.2 4.4 1.6v3a2 2 0 0 1-2.2 2A17 17 0 0 1 4 5.7a2 2 0 0 1 2-2.2z',
);
export const PinIcon = icon(
  'M12 21.5s7-6.6 7-11.8a7 7 0 1 0-14 0c0 5.2 7 11.8 7 11.8zM12 7.2a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z',
);
export const PlusIcon = icon('M12 5v14M5 12h14');
export const ReceiptIcon = icon('M6 3v18l2-1.5 2 1.5 2-1.5 2 1.5 2-1.5 2 1.5V3zM9 8h6M9 12h6');
export const ScooterIcon = icon(
  'M6 15a2.7 2.7 0 1 0 0 5.4A2.7 2.7 0 0 0 6 15zM18.5 15a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4zM8.7 17.7h6.1c0-3 1.2-4.7 3-5.4L15.7 5H13M3 12.5h7l3 4.5M3.5 8h5.5v4.5h-5.5z',
);
export const SearchIcon = icon('M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16.2 16.2L21 21');
export const SeatIcon = icon(
  'M6.2 4.4a1.7 1.7 0 0 1 3.3-.5l2 8.1h5a2 2 0 0 1 2 2v2.5H9.8a2 2 0 0 1-1.9-1.6zM11 8.2h4.5M10 16.5V20M17 16.5V20',
);
export const ShareIcon = icon('M12 15V3.5M8 7l4-3.5L16 7M5 12v7.5h14V12');
export const StarIcon = icon('M12 3.5l2.6 5.4 5.9.8-4.3 4.1 1 5.9-5.2-2.8-5.2 2.8 1-5.9L3.5 9.7l5.9-.8z');
export const StoreIcon = icon(
  'M4 10v9.5h16V10M3 9.5L4.8 4h14.4L21 9.5c0 1.6-1.2 2.7-2.5 2.7S15.8 11 15.2 9.7c-.5 1.4-1.6 2.5-3.2 2.5s-2.7-1.1-3.2-2.5c-.6 1.3-1.9 2.5-3.3 2.5S3 11.1 3 9.5zM9.5 19.5v-4h5v4',
);
export const TableIcon = icon('M3 9h18M5.5 9l-1 11M18.5 9l1 11M12 9v11M8.5 20h7M8 5.5h8');
export const TrainIcon = icon(
  'M8 3.5h8a3 3 0 0 1 3 3V14a3 3 0 0 1-3 3H8a3 3 0 0 1-3-3V6.5a3 3 0 0 1 3-3zM5 10.5h14M9 13.8h.01M15 13.8h.01M8.6 17 6.5 20.5M15.4 17l2.1 3.5M7.6 18.8h8.8',
);
export const TransferIcon = icon('M6 20.5l4.5-17L15.5 12zM12.5 20.5l4.5-8.5-2-4');
export const TrashIcon = icon(
  'M4.5 6.5h15M9 6.5V4h6v2.5M6.5 6.5l.9 13a1.5 1.5 0 0 0 1.5 1.4h6.2a1.5 1.5 0 0 0 1.5-1.4l.9-13M10 10.5v6.5M14 10.5v6.5',
);
export const UserIcon = icon('M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4.5 20.5c.6-4 3.6-5.7 7.5-5.7s6.9 1.7 7.5 5.7');
export const WalletIcon = icon(
  'M4 7.5V17a2 2 0 0 0 2 2h13a1.5 1.5 0 0 0 1.5-1.5V9A1.5 1.5 0 0 0 19 7.5zM4 7.5A2.5 2.5 0 0 1 6.5 5H17v2.5M16.5 13.2h0',
);
export const WarningIcon = icon('M12 4L2.8 19.7h18.4zM12 10v4.5M12 17.2h0');
