package shop

class Handed {
    private val lock = Any()
    fun use() = synchronized(lock, ::made)
    private fun made() = 1
}
