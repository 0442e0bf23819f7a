// The header and the sizes of its structs in C++, and one call.
#include "../layout.c"

int main()
{
	return qbb_open(QBB_ABI_VERSION) == 0 && qbb_live() == 0 ? 0 : 1;
}
